"""A TPP in Python: registers, gets a token, stages a file payment consent and verifies the bank's signature.

Usage: python client.py SANDBOX_JSON PAYMENT_FILE, in the folder to which the paths in sandbox.json are relative.
"""

import base64
import hashlib
import http.client
import json
import ssl
import sys
import time
import urllib.parse
import uuid
from decimal import Decimal
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

PS256 = (padding.PSS(padding.MGF1(SHA256()), salt_length=32), SHA256())
OB = "http://openbanking.org.uk/"


def b64(bytes: bytes) -> str:
    return base64.urlsafe_b64encode(bytes).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Tpp:
    def __init__(self, sandbox: dict) -> None:
        self.sandbox = sandbox
        self.software = sandbox["tpps"][0]
        self.key = load_pem_private_key(Path(self.software["signing_key_file"]).read_bytes(), None)
        # Mutual TLS: every call shows the transport certificate.
        self.tls = ssl.create_default_context(cafile=sandbox["ca_file"])
        self.tls.load_cert_chain(self.software["transport_cert_file"], self.software["transport_key_file"])

    def send(self, method: str, url: str, headers: dict, body: bytes = b"") -> tuple[dict, bytes]:
        """Returns the headers, by their names in lower case, and the bytes of the body."""
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPSConnection(parts.netloc, context=self.tls, timeout=30)
        connection.request(method, parts.path, body, headers)
        answer = connection.getresponse()
        bytes = answer.read()
        if answer.status >= 400:
            raise SystemExit(f"{method} {url}: {answer.status} {bytes.decode()}")
        return {name.lower(): value for name, value in answer.getheaders()}, bytes

    def get_json(self, url: str) -> dict:
        return json.loads(self.send("GET", url, {"accept": "application/json"})[1])

    def sign(self, header: dict, payload: bytes, is_encoded: bool = True) -> tuple[str, str]:
        """Returns the encoded header and the signature; RFC 7797 signs the bytes themselves."""
        protected = b64(json.dumps({"alg": "PS256", "kid": self.software["signing_kid"], **header}).encode())
        signed = protected.encode() + b"." + (b64(payload).encode() if is_encoded else payload)
        return protected, b64(self.key.sign(signed, *PS256))

    def jwt(self, claims: dict, seconds: int) -> str:
        now = int(time.time())
        payload = json.dumps({"iat": now, "exp": now + seconds, "jti": str(uuid.uuid4()), **claims}).encode()
        protected, signature = self.sign({"typ": "JWT"}, payload)
        return f"{protected}.{b64(payload)}.{signature}"

    def detached_jws(self, body: bytes) -> str:
        """x-jws-signature of version 3.1."""
        claims = {
            "b64": False,
            OB + "iat": int(time.time()),
            OB + "iss": f"{self.software['org_id']}/{self.software['software_id']}",
            OB + "tan": "openbanking.org.uk",
        }
        protected, signature = self.sign(
            {**claims, "crit": ["b64", OB + "iat", OB + "iss", OB + "tan"]}, body, is_encoded=False
        )
        return f"{protected}..{signature}"

    def verify(self, detached_jws: str, body: bytes, jwks: dict) -> None:
        """Raises InvalidSignature, or SystemExit where the header is not the bank's."""
        protected, _, signature = detached_jws.split(".")
        header = json.loads(unb64(protected))
        if header["alg"] != "PS256" or header[OB + "iss"] != self.sandbox["organisation_id"]:
            raise SystemExit(f"not signed by the bank: {header}")
        key = next(each for each in jwks["keys"] if each["kid"] == header["kid"])
        number = lambda name: int.from_bytes(unb64(key[name]), "big")
        public = rsa.RSAPublicNumbers(number("e"), number("n")).public_key()
        public.verify(unb64(signature), protected.encode() + b"." + body, *PS256)


def main(sandbox_file: str, payment_file: str) -> None:
    sandbox = json.loads(Path(sandbox_file).read_text())
    tpp = Tpp(sandbox)
    software = tpp.software
    provider = tpp.get_json(sandbox["discovery_uri"])

    # Register: once for each bank, and keep the client_id.
    registration = tpp.jwt(
        {
            "iss": software["software_id"],
            "aud": provider["issuer"],
            "software_id": software["software_id"],
            "software_statement": Path(software["software_statement_file"]).read_text().strip(),
            "redirect_uris": software["redirect_uris"],
            "token_endpoint_auth_method": "private_key_jwt",
            "token_endpoint_auth_signing_alg": "PS256",
            "grant_types": ["client_credentials", "authorization_code"],
            "response_types": ["code id_token"],
            "scope": "openid payments",
            "application_type": "web",
            "id_token_signed_response_alg": "PS256",
            "request_object_signing_alg": "PS256",
        },
        300,
    )
    jose = {"content-type": "application/jose", "accept": "application/json"}
    _, body = tpp.send("POST", provider["registration_endpoint"], jose, registration.encode())
    client_id = json.loads(body)["client_id"]
    print("registered:", client_id)

    # A token for the client itself, with private_key_jwt.
    form = {
        "grant_type": "client_credentials",
        "scope": "payments",
        "client_id": client_id,
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": tpp.jwt({"iss": client_id, "sub": client_id, "aud": provider["issuer"]}, 60),
    }
    urlencoded = {"content-type": "application/x-www-form-urlencoded"}
    _, body = tpp.send("POST", provider["token_endpoint"], urlencoded, urllib.parse.urlencode(form).encode())
    access_token = json.loads(body)["access_token"]

    # Stage the consent: what it says of the file follows from the bytes of the file.
    file = Path(payment_file).read_bytes()
    payments = json.loads(file, parse_float=Decimal)["File"]["Data"]["DomesticPayments"]
    control_sum = sum(Decimal(payment["InstructedAmount"]["Amount"]) for payment in payments)
    initiation = {
        "FileType": "UK.OBIE.PaymentInitiation.3.1",
        "FileHash": base64.b64encode(hashlib.sha256(file).digest()).decode(),
        "NumberOfTransactions": str(len(payments)),
        "ControlSum": float(control_sum),
        "LocalInstrument": payments[0]["LocalInstrument"],
    }
    consent = json.dumps({"Data": {"Initiation": initiation}}).encode()
    headers = {
        "authorization": f"Bearer {access_token}",
        "content-type": "application/json",
        "accept": "application/json",
        "x-fapi-interaction-id": str(uuid.uuid4()),
        "x-idempotency-key": str(uuid.uuid4()),
        "x-jws-signature": tpp.detached_jws(consent),
    }
    url = f"{sandbox['base_url']}/open-banking/v3.1/pisp/file-payment-consents"
    answer, body = tpp.send("POST", url, headers, consent)
    tpp.verify(answer["x-jws-signature"], body, tpp.get_json(provider["jwks_uri"]))
    staged = json.loads(body)["Data"]
    print("staged:", staged["ConsentId"], staged["Status"])
    print("signature of the bank: verified")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        raise SystemExit(2)
    main(sys.argv[1], sys.argv[2])
