import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A TPP in Java: registers, gets a token, stages a file payment consent and verifies the bank's signature.
 *
 * <p>Arguments: SANDBOX_JSON PAYMENT_FILE, in the folder to which the paths in sandbox.json are relative.
 */
public final class Client {
    private static final String OB = "http://openbanking.org.uk/";
    private static final Set<String> CRITICAL = Set.of("b64", OB + "iat", OB + "iss", OB + "tan");

    private final Map<String, Object> sandbox;
    private final Map<String, Object> software;
    private final PrivateKey signingKey;
    private final HttpClient http;

    private Client(Map<String, Object> sandbox) throws Exception {
        this.sandbox = sandbox;
        this.software = JSONObjectUtils.getJSONObjectArray(sandbox, "tpps")[0];
        this.signingKey = readKey("signing_key_file");
        // Mutual TLS: every call shows the transport certificate.
        this.http = HttpClient.newBuilder().sslContext(createTls()).connectTimeout(Duration.ofSeconds(30)).build();
    }

    private String of(Map<String, Object> object, String name) {
        return String.valueOf(object.get(name));
    }

    private byte[] read(Map<String, Object> object, String name) throws Exception {
        return Files.readAllBytes(Path.of(of(object, name)));
    }

    private PrivateKey readKey(String name) throws Exception {
        String pem = new String(read(software, name)).replaceAll("-----[A-Z ]+-----|\\s", "");
        return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
    }

    private SSLContext createTls() throws Exception {
        CertificateFactory certificates = CertificateFactory.getInstance("X.509");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        Certificate[] own = certificates
            .generateCertificates(new ByteArrayInputStream(read(software, "transport_cert_file")))
            .toArray(new Certificate[0]);
        store.setKeyEntry("transport", readKey("transport_key_file"), new char[0], own);
        store.setCertificateEntry(
            "ca", certificates.generateCertificate(new ByteArrayInputStream(read(sandbox, "ca_file"))));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private HttpResponse<byte[]> send(String method, String url, Map<String, String> headers, byte[] body)
            throws Exception {
        HttpRequest.Builder request =
            HttpRequest.newBuilder(URI.create(url)).method(method, BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
        if (answer.statusCode() >= 400) {
            throw new IllegalStateException(url + ": " + answer.statusCode() + " " + new String(answer.body()));
        }
        return answer;
    }

    private static Map<String, Object> parse(byte[] body) throws Exception {
        return JSONObjectUtils.parse(new String(body, StandardCharsets.UTF_8));
    }

    private Map<String, Object> get(String url) throws Exception {
        return parse(send("GET", url, Map.of("accept", "application/json"), new byte[0]).body());
    }

    private String jwt(Map<String, Object> claims, long seconds) throws Exception {
        long now = Instant.now().getEpochSecond();
        Map<String, Object> payload = new HashMap<>(claims);
        payload.putAll(Map.of("iat", now, "exp", now + seconds, "jti", UUID.randomUUID().toString()));
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.PS256)
            .keyID(of(software, "signing_kid"))
            .type(JOSEObjectType.JWT)
            .build();
        JWSObject jws = new JWSObject(header, new Payload(payload));
        jws.sign(new RSASSASigner(signingKey));
        return jws.serialize();
    }

    /** x-jws-signature of version 3.1: it signs the bytes themselves (RFC 7797). */
    private String detachedJws(byte[] body) throws Exception {
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.PS256)
            .keyID(of(software, "signing_kid"))
            .base64URLEncodePayload(false)
            .customParam(OB + "iat", Instant.now().getEpochSecond())
            .customParam(OB + "iss", of(software, "org_id") + "/" + of(software, "software_id"))
            .customParam(OB + "tan", "openbanking.org.uk")
            .criticalParams(CRITICAL)
            .build();
        JWSObject jws = new JWSObject(header, new Payload(body));
        jws.sign(new RSASSASigner(signingKey));
        return jws.serialize(true);
    }

    /** Verifies the bank's signature over the bytes of an answer. */
    private void verify(String detachedJws, byte[] body, JWKSet keys) throws Exception {
        JWSObject jws = JWSObject.parse(detachedJws, new Payload(body));
        JWSHeader header = jws.getHeader();
        boolean isOfBank = JWSAlgorithm.PS256.equals(header.getAlgorithm())
            && of(sandbox, "organisation_id").equals(header.getCustomParam(OB + "iss"));
        JWK key = keys.getKeyByKeyId(header.getKeyID());
        if (!isOfBank || key == null || !jws.verify(new RSASSAVerifier(key.toRSAKey().toRSAPublicKey(), CRITICAL))) {
            throw new IllegalStateException("x-jws-signature is not the bank's: " + header);
        }
    }

    /** What a consent says of a file follows from the bytes of the file. */
    private static Map<String, Object> describe(byte[] file) throws Exception {
        Map<String, Object> data =
            JSONObjectUtils.getJSONObject(JSONObjectUtils.getJSONObject(parse(file), "File"), "Data");
        Map<String, Object>[] payments = JSONObjectUtils.getJSONObjectArray(data, "DomesticPayments");
        BigDecimal sum = BigDecimal.ZERO;
        for (Map<String, Object> payment : payments) {
            sum = sum.add(new BigDecimal((String) JSONObjectUtils.getJSONObject(payment, "InstructedAmount").get("Amount")));
        }
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(file);
        return Map.of(
            "FileType", "UK.OBIE.PaymentInitiation.3.1",
            "FileHash", Base64.getEncoder().encodeToString(hash),
            "NumberOfTransactions", String.valueOf(payments.length),
            "ControlSum", sum,
            "LocalInstrument", payments[0].get("LocalInstrument"));
    }

    private String register(Map<String, Object> provider) throws Exception {
        Map<String, Object> claims = new HashMap<>(Map.of(
            "iss", of(software, "software_id"),
            "aud", of(provider, "issuer"),
            "software_id", of(software, "software_id"),
            "software_statement", new String(read(software, "software_statement_file")).trim(),
            "redirect_uris", software.get("redirect_uris"),
            "token_endpoint_auth_method", "private_key_jwt",
            "token_endpoint_auth_signing_alg", "PS256",
            "grant_types", List.of("client_credentials", "authorization_code"),
            "response_types", List.of("code id_token"),
            "scope", "openid payments"));
        claims.putAll(Map.of(
            "application_type", "web",
            "id_token_signed_response_alg", "PS256",
            "request_object_signing_alg", "PS256"));
        Map<String, String> headers = Map.of("content-type", "application/jose", "accept", "application/json");
        byte[] request = jwt(claims, 300).getBytes(StandardCharsets.US_ASCII);
        return of(parse(send("POST", of(provider, "registration_endpoint"), headers, request).body()), "client_id");
    }

    /** A token for the client itself, with private_key_jwt. */
    private String requestToken(Map<String, Object> provider, String clientId) throws Exception {
        Map<String, Object> assertion = Map.of("iss", clientId, "sub", clientId, "aud", of(provider, "issuer"));
        String form = Map.of(
                "grant_type", "client_credentials",
                "scope", "payments",
                "client_id", clientId,
                "client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                "client_assertion", jwt(assertion, 60))
            .entrySet().stream()
            .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
        Map<String, String> headers = Map.of("content-type", "application/x-www-form-urlencoded");
        return of(parse(send("POST", of(provider, "token_endpoint"), headers, form.getBytes()).body()), "access_token");
    }

    private void run(Path paymentFile) throws Exception {
        Map<String, Object> provider = get(of(sandbox, "discovery_uri"));
        // Register once for each bank, and keep the client_id.
        String clientId = register(provider);
        System.out.println("registered: " + clientId);
        String accessToken = requestToken(provider, clientId);

        Map<String, Object> initiation = describe(Files.readAllBytes(paymentFile));
        byte[] consent = JSONObjectUtils.toJSONString(Map.of("Data", Map.of("Initiation", initiation))).getBytes();
        HttpResponse<byte[]> answer = send(
            "POST",
            of(sandbox, "base_url") + "/open-banking/v3.1/pisp/file-payment-consents",
            Map.of(
                "authorization", "Bearer " + accessToken,
                "content-type", "application/json",
                "accept", "application/json",
                "x-fapi-interaction-id", UUID.randomUUID().toString(),
                "x-idempotency-key", UUID.randomUUID().toString(),
                "x-jws-signature", detachedJws(consent)),
            consent);
        JWKSet keys = JWKSet.parse(get(of(provider, "jwks_uri")));
        verify(answer.headers().firstValue("x-jws-signature").orElseThrow(), answer.body(), keys);
        Map<String, Object> staged = JSONObjectUtils.getJSONObject(parse(answer.body()), "Data");
        System.out.println("staged: " + staged.get("ConsentId") + " " + staged.get("Status"));
        System.out.println("signature of the bank: verified");
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 2) {
            System.err.println("Arguments: SANDBOX_JSON PAYMENT_FILE");
            System.exit(2);
        }
        Map<String, Object> sandbox = parse(Files.readAllBytes(Path.of(arguments[0])));
        new Client(sandbox).run(Path.of(arguments[1]));
    }
}
