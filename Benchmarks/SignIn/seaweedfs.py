"""SeaweedFS as the store of benchmark-sign-in, and the S3 requests of each call for wrk to send without the server."""
import atexit, hashlib, http.client, json, os, subprocess, time, uuid
from urllib.parse import urlsplit
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials


class SeaweedFS:
    def __init__(self, root):
        self.process = subprocess.Popen([os.path.join(root, "scripts/run-seaweedfs")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        atexit.register(self.stop)
        found = json.loads(self.process.stdout.readline())
        keys = found["keys"]["service"]
        self.pid, self.endpoint, self.bucket = found["process"], found["endpoint"], found["bucket"]
        self.port = urlsplit(self.endpoint).port
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.signer = S3SigV4Auth(Credentials(keys["accessKey"], keys["secretKey"]), "s3", "us-east-1")
        self.settings = {
            "PHOTOLALA_STORE": "s3", "PHOTOLALA_S3_ENDPOINT": self.endpoint, "PHOTOLALA_S3_BUCKET": self.bucket,
            "PHOTOLALA_S3_ACCESS_KEY_ID": keys["accessKey"], "PHOTOLALA_S3_SECRET_ACCESS_KEY": keys["secretKey"],
            "PHOTOLALA_STS_ROLE_ARN": found["role"],
            "PHOTOLALA_KEYS_MASTER": "k1:BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="}
        # The bucket may not exist yet although the port is open.
        while self.send(self.marker())[0] >= 300: time.sleep(0.2)
        # The daily jobs count as done, so that they do not walk over the accounts during the measurement.
        end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 80_000))
        for job in ("usage", "devices", "consent"):
            lease = {"endsAt": end, "id": str(uuid.uuid4()), "version": 1}
            self.send(self.request("PUT", f"/service/leases/{job}.json", json.dumps(lease)))

    def request(self, method, key, body="", condition={}):
        request = AWSRequest(method, f"{self.endpoint}/{self.bucket}{key}", condition, body.encode())
        self.signer.add_auth(request)
        return method, f"/{self.bucket}{key}", "\t".join(f"{n}: {v}" for n, v in request.headers.items()), body

    def send(self, request):
        method, path, headers, body = request
        self.connection.request(method, path, body, dict(line.split(": ", 1) for line in headers.split("\t")))
        response = self.connection.getresponse()
        return response.status, response.read().decode()

    def stop(self):
        self.process.stdin.close()
        self.process.wait(60)

    def marker(self):
        key = f"/service/spent/{int(time.time()) + 600}/{uuid.uuid4()}"
        return self.request("PUT", key, uuid.uuid4().hex, {"If-None-Match": "*"})

    def requests(self, name, accounts):
        """The requests of a call for each account: its person, its id and the device's id."""
        bodies = {}
        for person, user, device in accounts:
            document, record = f"/accounts/{user}/account.json", f"/accounts/{user}/devices/{device}.json"
            if name == "sign_in": yield self.marker()
            if name.startswith("sign_in"): yield self.request("GET", f"/identities/apple/{person}")
            yield self.request("GET", record)
            yield self.request("GET", document)
            if name == "get_user":
                yield self.request("GET", f"?list-type=2&max-keys=1000&prefix=accounts%2F{user}%2Fdevices%2F")
                for key in (record, f"/users/{user}/profile.json", f"/accounts/{user}/usage.json"):
                    yield self.request("GET", key)
                continue
            # Writing the same bytes again keeps the ETag, so the condition holds each time.
            if record not in bodies: bodies[record] = self.send(self.request("GET", record))[1]
            tag = hashlib.md5(bodies[record].encode()).hexdigest()
            yield self.request("PUT", record, bodies[record], {"If-Match": f'"{tag}"'})
