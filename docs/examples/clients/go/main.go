// A TPP in Go, with the standard library alone: registers, gets a token, stages a file payment consent and verifies the
// bank's signature.
//
// Usage: go run main.go SANDBOX_JSON PAYMENT_FILE, in the folder to which the paths in sandbox.json are relative.
package main

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

const ob = "http://openbanking.org.uk/"

var pss = &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}

type object = map[string]any

type software struct {
	OrgID                 string   `json:"org_id"`
	SoftwareID            string   `json:"software_id"`
	RedirectURIs          []string `json:"redirect_uris"`
	TransportCertFile     string   `json:"transport_cert_file"`
	TransportKeyFile      string   `json:"transport_key_file"`
	SigningKeyFile        string   `json:"signing_key_file"`
	SigningKid            string   `json:"signing_kid"`
	SoftwareStatementFile string   `json:"software_statement_file"`
}

type sandbox struct {
	OrganisationID string     `json:"organisation_id"`
	DiscoveryURI   string     `json:"discovery_uri"`
	BaseURL        string     `json:"base_url"`
	CAFile         string     `json:"ca_file"`
	Tpps           []software `json:"tpps"`
}

type tpp struct {
	software
	bank sandbox
	key  *rsa.PrivateKey
	http *http.Client
}

// check ends the program: a sample has nobody to hand an error to.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func b64(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

func newTpp(bank sandbox) *tpp {
	own := bank.Tpps[0]
	block, _ := pem.Decode(must(os.ReadFile(own.SigningKeyFile)))
	key := must(x509.ParsePKCS8PrivateKey(block.Bytes)).(*rsa.PrivateKey)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(must(os.ReadFile(bank.CAFile)))
	// Mutual TLS: every call shows the transport certificate.
	certificate := must(tls.LoadX509KeyPair(own.TransportCertFile, own.TransportKeyFile))
	config := &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{certificate}}
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{TLSClientConfig: config}}
	return &tpp{software: own, bank: bank, key: key, http: client}
}

func (t *tpp) send(method, address string, headers map[string]string, body []byte) (http.Header, []byte) {
	request := must(http.NewRequest(method, address, bytes.NewReader(body)))
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	answer := must(t.http.Do(request))
	defer answer.Body.Close()
	bytes := must(io.ReadAll(answer.Body))
	if answer.StatusCode >= 400 {
		check(fmt.Errorf("%s %s: %d %s", method, address, answer.StatusCode, bytes))
	}
	return answer.Header, bytes
}

func (t *tpp) get(address string) object {
	_, body := t.send("GET", address, map[string]string{"accept": "application/json"}, nil)
	return parse(body)
}

func parse(text []byte) (found object) {
	check(json.Unmarshal(text, &found))
	return found
}

// sign returns the encoded header and the signature over header "." payload (PS256).
func (t *tpp) sign(header object, payload string) (string, string) {
	header["alg"], header["kid"] = "PS256", t.SigningKid
	protected := b64(must(json.Marshal(header)))
	digest := sha256.Sum256([]byte(protected + "." + payload))
	return protected, b64(must(rsa.SignPSS(rand.Reader, t.key, crypto.SHA256, digest[:], pss)))
}

func (t *tpp) jwt(claims object, seconds int64) string {
	now := time.Now().Unix()
	claims["iat"], claims["exp"], claims["jti"] = now, now+seconds, newID()
	payload := b64(must(json.Marshal(claims)))
	protected, signature := t.sign(object{"typ": "JWT"}, payload)
	return protected + "." + payload + "." + signature
}

// detachedJws is x-jws-signature of version 3.1: it signs the bytes themselves (RFC 7797).
func (t *tpp) detachedJws(body []byte) string {
	protected, signature := t.sign(object{
		"b64":      false,
		ob + "iat": time.Now().Unix(),
		ob + "iss": t.OrgID + "/" + t.SoftwareID,
		ob + "tan": "openbanking.org.uk",
		"crit":     []string{"b64", ob + "iat", ob + "iss", ob + "tan"},
	}, string(body))
	return protected + ".." + signature
}

// verify checks the bank's signature over the bytes of an answer.
func (t *tpp) verify(detachedJws string, body []byte, jwks object) {
	parts := strings.Split(detachedJws, ".")
	if len(parts) != 3 || parts[1] != "" {
		check(fmt.Errorf("not a detached JWS: %q", detachedJws))
	}
	header := parse(unb64(parts[0]))
	if header["alg"] != "PS256" || header[ob+"iss"] != t.bank.OrganisationID {
		check(fmt.Errorf("not signed by the bank: %v", header))
	}
	for _, each := range jwks["keys"].([]any) {
		key := each.(object)
		if key["kid"] != header["kid"] {
			continue
		}
		number := func(name string) *big.Int { return new(big.Int).SetBytes(unb64(key[name].(string))) }
		public := &rsa.PublicKey{N: number("n"), E: int(number("e").Int64())}
		digest := sha256.Sum256(append([]byte(parts[0]+"."), body...))
		check(rsa.VerifyPSS(public, crypto.SHA256, digest[:], unb64(parts[2]), pss))
		return
	}
	check(fmt.Errorf("the bank has no key %v", header["kid"]))
}

func unb64(text string) []byte { return must(base64.RawURLEncoding.DecodeString(text)) }

func newID() string {
	bytes := make([]byte, 16)
	must(rand.Read(bytes))
	bytes[6], bytes[8] = bytes[6]&0x0f|0x40, bytes[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", bytes[:4], bytes[4:6], bytes[6:8], bytes[8:10], bytes[10:])
}

// describe says of the bytes of a file what a consent says of it.
func describe(file []byte) object {
	var content struct {
		File struct {
			Data struct {
				DomesticPayments []struct {
					LocalInstrument  string
					InstructedAmount struct{ Amount string }
				}
			}
		}
	}
	check(json.Unmarshal(file, &content))
	payments := content.File.Data.DomesticPayments
	sum := new(big.Rat)
	for _, payment := range payments {
		amount, ok := new(big.Rat).SetString(payment.InstructedAmount.Amount)
		if !ok {
			check(fmt.Errorf("no amount: %q", payment.InstructedAmount.Amount))
		}
		sum.Add(sum, amount)
	}
	hash := sha256.Sum256(file)
	return object{
		"FileType":             "UK.OBIE.PaymentInitiation.3.1",
		"FileHash":             base64.StdEncoding.EncodeToString(hash[:]),
		"NumberOfTransactions": strconv.Itoa(len(payments)),
		// Text of a number, so that it passes through no binary fraction.
		"ControlSum":      json.Number(sum.FloatString(2)),
		"LocalInstrument": payments[0].LocalInstrument,
	}
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "Usage: go run main.go SANDBOX_JSON PAYMENT_FILE")
		os.Exit(2)
	}
	var bank sandbox
	check(json.Unmarshal(must(os.ReadFile(os.Args[1])), &bank))
	t := newTpp(bank)
	provider := t.get(bank.DiscoveryURI)
	issuer := provider["issuer"].(string)

	// Register: once for each bank, and keep the client_id.
	registration := t.jwt(object{
		"iss":                             t.SoftwareID,
		"aud":                             issuer,
		"software_id":                     t.SoftwareID,
		"software_statement":              strings.TrimSpace(string(must(os.ReadFile(t.SoftwareStatementFile)))),
		"redirect_uris":                   t.RedirectURIs,
		"token_endpoint_auth_method":      "private_key_jwt",
		"token_endpoint_auth_signing_alg": "PS256",
		"grant_types":                     []string{"client_credentials", "authorization_code"},
		"response_types":                  []string{"code id_token"},
		"scope":                           "openid payments",
		"application_type":                "web",
		"id_token_signed_response_alg":    "PS256",
		"request_object_signing_alg":      "PS256",
	}, 300)
	jose := map[string]string{"content-type": "application/jose", "accept": "application/json"}
	_, body := t.send("POST", provider["registration_endpoint"].(string), jose, []byte(registration))
	clientID := parse(body)["client_id"].(string)
	fmt.Println("registered:", clientID)

	// A token for the client itself, with private_key_jwt.
	form := url.Values{
		"grant_type":            {"client_credentials"},
		"scope":                 {"payments"},
		"client_id":             {clientID},
		"client_assertion_type": {"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
		"client_assertion":      {t.jwt(object{"iss": clientID, "sub": clientID, "aud": issuer}, 60)},
	}
	urlencoded := map[string]string{"content-type": "application/x-www-form-urlencoded"}
	_, body = t.send("POST", provider["token_endpoint"].(string), urlencoded, []byte(form.Encode()))
	accessToken := parse(body)["access_token"].(string)

	// Stage the consent.
	consent := must(json.Marshal(object{"Data": object{"Initiation": describe(must(os.ReadFile(os.Args[2])))}}))
	answer, body := t.send("POST", bank.BaseURL+"/open-banking/v3.1/pisp/file-payment-consents", map[string]string{
		"authorization":         "Bearer " + accessToken,
		"content-type":          "application/json",
		"accept":                "application/json",
		"x-fapi-interaction-id": newID(),
		"x-idempotency-key":     newID(),
		"x-jws-signature":       t.detachedJws(consent),
	}, consent)
	t.verify(answer.Get("x-jws-signature"), body, t.get(provider["jwks_uri"].(string)))
	staged := parse(body)["Data"].(object)
	fmt.Println("staged:", staged["ConsentId"], staged["Status"])
	fmt.Println("signature of the bank: verified")
}
