"""The processes of the soak run: SeaweedFS and the instances of photolala-server."""
import base64, json, os, random, socket, subprocess, sys, time, urllib.request

from http_client import Connections, Failure, address_of, signed_headers

connections = Connections()

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def free_port():
    """Returns a port that no outgoing connection can take later: below the ephemeral ranges of Linux and macOS."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def wait_until(what, holds, seconds=120):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"soak: waited {seconds} s in vain: {what}")
        time.sleep(0.1)


class Engine:
    """SeaweedFS, which keeps its data, ports and keys in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [os.path.join(root, "scripts/run-seaweedfs"), "--keep", self.folder], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, start_new_session=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("soak: SeaweedFS did not start")
        self.setup = json.loads(line)
        wait_until("SeaweedFS stores an object", self.is_ready)

    def is_ready(self):
        """Returns whether an object can be stored and removed, as the administrator."""
        key = self.setup["keys"]["admin"]
        credentials = {"accessKeyID": key["accessKey"], "secretAccessKey": key["secretKey"], "region": "us-east-1"}
        address, path = address_of(self.setup["endpoint"]), f"/{self.setup['bucket']}/soak-ready"
        try:
            for method in ("PUT", "DELETE"):
                headers = signed_headers(credentials, method, path, b"", f"{address[0]}:{address[1]}")
                if connections.send(address, method, path, headers, b"").status >= 300:
                    return False
        except Failure:
            return False
        return True

    def stop(self, with_signal):
        os.kill(self.setup["process"], with_signal)
        self.process.stdin.close()
        self.process.wait(60)


class Instance:
    """One photolala-server on the bucket."""

    def __init__(self, name, program, engine, folder, public_url=None):
        self.name, self.program, self.folder = name, program, folder
        self.address = ("127.0.0.1", free_port())
        self.url = f"http://127.0.0.1:{self.address[1]}"
        setup = engine.setup
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": folder, "PHOTOLALA_ENVIRONMENT": "dev", "PHOTOLALA_STORE": "s3",
            "PHOTOLALA_S3_ENDPOINT": setup["endpoint"], "PHOTOLALA_S3_BUCKET": setup["bucket"],
            "PHOTOLALA_S3_ACCESS_KEY_ID": setup["keys"]["service"]["accessKey"],
            "PHOTOLALA_S3_SECRET_ACCESS_KEY": setup["keys"]["service"]["secretKey"],
            "PHOTOLALA_STS_ROLE_ARN": setup["role"], "PHOTOLALA_STS_ERASER_ROLE_ARN": setup["eraserRole"],
            "PHOTOLALA_KEYS_MASTER": "k1:" + base64.b64encode(bytes([7]) * 32).decode(),
            "PHOTOLALA_PUBLIC_URL": public_url or self.url, "PHOTOLALA_LISTEN": f"127.0.0.1:{self.address[1]}",
            "PHOTOLALA_LOG_LEVEL": "warning", "PHOTOLALA_LOG_FORMAT": "json", "PHOTOLALA_DELETION_UNDO_DAYS": "0",
        }
        self.log = open(os.path.join(folder, f"{name}.log"), "ab")
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "serve"], env=self.environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.started = time.time()
        wait_until(f"instance {self.name} is ready: {self.log.name}", self.is_ready)

    def is_ready(self):
        if self.process.poll() is not None:
            sys.exit(f"soak: instance {self.name} ended with {self.process.returncode}: {self.log.name}")
        try:
            with urllib.request.urlopen(self.url + "/health/ready", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def stop(self, with_signal):
        self.process.send_signal(with_signal)
        return self.process.wait(90)

    def memory(self):
        """Returns the resident memory in bytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def command(self, *words):
        """Runs an operator's command with the instance's settings. Returns its status and output."""
        run = subprocess.run(
            [self.program, *words], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr
