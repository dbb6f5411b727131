#!/usr/bin/env python3
"""Verifies a Photolala export: its signature, every file and the audit log. Names damaged and missing photos.

Needs Python 3.8 or later and nothing else. Exit statuses:
  0  everything verifies and the export is complete
  1  something does not verify: changed, truncated or unreadable
  2  wrong usage, or not a ZIP file
  3  everything verifies, but photos are damaged or missing
"""
import argparse, base64, hashlib, json, os, re, struct, sys, time, urllib.request, zipfile

P = 2**256 - 2**224 + 2**192 + 2**96 - 1  # P-256: field, order, b, generator
N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551
B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b
G = (0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296,
     0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5)
LINE, WHOLE, ZEROS = 1 << 20, 1 << 29, "0" * 64  # longest line and largest file read at once, in bytes

def add(p, q):  # None is the point at infinity
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and (p[1] + q[1]) % P == 0:
        return None
    slope = (3 * p[0] * p[0] - 3) * pow(2 * p[1], -1, P) if p == q else (q[1] - p[1]) * pow(q[0] - p[0], -1, P)
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P

def multiply(scalar, point):
    result = None
    while scalar:
        result = add(result, point) if scalar & 1 else result
        point, scalar = add(point, point), scalar >> 1
    return result

def ecdsa(key, message, signature):
    """Returns whether signature (r and s, 64 bytes) is the ECDSA P-256 SHA-256 signature of message by key (x, y)."""
    (x, y), r, s = key, int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if not (x < P and y < P and 0 < r < N and 0 < s < N and len(signature) == 64) or (y * y - x**3 + 3 * x - B) % P:
        return False
    digest, inverse = int.from_bytes(hashlib.sha256(message).digest(), "big"), pow(s, -1, N)
    point = add(multiply(digest * inverse % N, G), multiply(r * inverse % N, key))
    return point is not None and point[0] % N == r

def fail(reason):
    raise ValueError(reason)

def decode(text):  # base64url, only the canonical form without padding
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if base64.urlsafe_b64encode(data).rstrip(b"=").decode() == text else fail("malformed base64url")

def shown(text):  # names and reasons may hold anything: no control characters on the terminal
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))

def why(error):
    if isinstance(error, KeyError):  # zipfile's is a sentence, another's is the name of a JSON member
        return error.args[0] if " " in str(error.args[0]) else f"no {error.args[0]}"
    return str(error) if isinstance(error, (ValueError, zipfile.BadZipFile)) else f"{type(error).__name__}: {error}"

def amount(size):
    scale, unit = (1e9, "GB") if size >= 1e9 else (1e6, "MB") if size >= 1e6 else (1e3, "kB")
    return f"{size / scale:,.1f} {unit}"

def load(source):  # a file or an https URL
    if "://" not in source:
        with open(source, "rb") as file:
            return file.read(WHOLE)
    safe = r"https://|http://(127\.0\.0\.1|localhost|\[::1\])[:/]"  # http reaches this machine only
    re.match(safe, source) or fail("only https URLs are accepted")
    with urllib.request.urlopen(source, timeout=30) as answer:
        re.match(safe, answer.geturl()) or fail("redirected to an insecure URL")
        return answer.read(WHOLE)

def key_set(data):
    try:
        keys = json.loads(data)["keys"]
        return keys if isinstance(keys, list) and all(isinstance(key, dict) for key in keys) else fail("")
    except Exception:
        fail("not a set of public keys (JWKS)")

class Export:
    def __init__(self, archive):
        self.archive, self.problems, self.damaged, self.files, self.size, self.drawn = archive, 0, [], 0, 0, 0.0
        self.dates = {}  # by name, as seconds since 1970; known once the layout is verified

    def check(self, label, test):
        """Runs a test and prints one line for it; an exception is a failure. Returns the test's value, or None."""
        try:
            value = test()
            print(f"ok      {label}" + (f": {shown(value)}" if isinstance(value, str) else ""))
            return value
        except Exception as error:
            self.report([(label, why(error))])

    def report(self, failures, otherwise=None):
        """Prints one line for each failure, sorted by name; the line `otherwise` if there is none."""
        for name, reason in sorted(failures):
            print(f"FAILED  {shown(name)}: {shown(reason)}")
        self.problems += len(failures)
        failures or otherwise and print(f"ok      {otherwise}")

    def read(self, name):
        info = self.archive.getinfo(name)
        return self.archive.read(info) if info.file_size <= WHOLE else fail(f"{name} is too large")

    def lines(self, name):
        with self.archive.open(name) as file:
            yield from iter(lambda: file.readline(LINE), b"")

    def hash(self, info):
        digest, read = hashlib.sha256(), 0
        with self.archive.open(info) as file:
            for chunk in iter(lambda: file.read(LINE), b""):
                digest.update(chunk)
                read += len(chunk)
                if sys.stderr.isatty() and time.monotonic() - self.drawn > 0.5:
                    self.drawn = time.monotonic()
                    sys.stderr.write(f"\r… {self.files:,} files, {amount(self.size + read)}\x1b[K\r")
        return digest.hexdigest()

    def signature(self, keys, parts):
        kid, known = json.loads(decode(parts[0]))["kid"], False
        for key in fail("no keys") if keys is None else keys:
            if (key.get("kty"), key.get("crv"), key.get("kid")) == ("EC", "P-256", kid):
                known, point = True, (decode(key["x"]), decode(key["y"]))
                if len(point[0]) == len(point[1]) == 32 and ecdsa(
                        [int.from_bytes(c, "big") for c in point], f"{parts[0]}.{parts[1]}".encode(), decode(parts[2])):
                    return f"by key {kid}"
        fail(f"does not match key {kid}" if known else f"no key {kid} in the keys")

    def header(self, part):
        head = json.loads(decode(part))
        expected = head["alg"] == "ES256" and head["typ"] == "photolala-export+jwt" and "crit" not in head
        return f"{head['alg']}, {head['typ']}" if expected else fail("unexpected algorithm or type")

    def statement(self, part):
        said = json.loads(decode(part))
        date = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(said["iat"]))
        print(f"        statement of {shown(said['iss'])}, {date}" + ("" if said["assembled_by"] == "server" else
              "; a device assembled the archive: the service vouches for the account, not for the content"))
        digest = self.hash(self.archive.getinfo("manifest.json"))
        digest == said["manifest_sha256"] or fail("not the manifest that was signed")
        return said

    def manifest(self):
        """Yields the manifest without its members, then one member at a time: millions do not fit in memory."""
        lines = self.lines("manifest.json")
        first = next(lines, b"").decode().strip()
        closed = first.endswith("]}")
        head = json.loads(first if closed else first + "]}")
        head["format"] == "photolala-export/1" or fail(f"unknown format {head['format']}")
        yield head
        yield from head["members"]
        for line in lines:
            text = line.decode().strip()
            text and closed and fail("text after its end")
            if text and text != "]}":
                member, end = json.JSONDecoder().raw_decode(text)
                yield member
                text = text[end:].strip()
            closed = closed or text == "]}"
            closed or text in ("", ",") or fail("malformed line")
        closed or fail("it ends early")

    def members(self, members):
        """Verifies every listed member. Returns the failures and the names that the manifest does not list."""
        failures, unlisted, names = [], set(self.archive.NameToInfo), self.archive.NameToInfo
        try:
            for member in members:
                path, size, digest = member["path"], member["size"], member["sha256"]
                try:
                    path in names or fail("not in the ZIP")
                    path in unlisted or fail("listed twice in the manifest")
                    unlisted.remove(path)
                    member.get("damaged") is True and self.damaged.append(path)
                    names[path].file_size == size or fail(f"{names[path].file_size:,} bytes instead of {size:,}")
                    self.hash(names[path]) == digest or fail("SHA-256 does not match")
                    seconds = member["modified"] if 0 <= member["modified"] < 1 << 31 else None
                    self.dates.get(path, seconds) == seconds or fail("another date")
                    self.files, self.size = self.files + 1, self.size + size
                except Exception as error:
                    failures.append((str(path), why(error)))
        except Exception as error:
            failures.append(("manifest.json", f"malformed: {why(error)}"))
        return failures, unlisted - {"manifest.json", "manifest.jws"}

    def layout(self):
        """Verifies every byte besides the files' own: other programs read an archive in other ways than this one."""
        file, position, start = self.archive.fp, 0, self.archive.start_dir
        infos, times = self.archive.infolist(), []
        for info in infos:  # each file follows the one before
            file.seek(position)
            fields = struct.unpack("<4s5H3I2H", file.read(30))
            size = min(info.file_size, 0xffffffff)
            name, extra = file.read(fields[9]), file.read(fields[10])
            version = 45 if size == 0xffffffff else 20
            (fields[:4], fields[6:9]) == ((b"PK\3\4", version, 0x800, 0), (info.CRC, size, size)) or fail(
                f"{info.orig_filename}: an unexpected local header")
            name == info.orig_filename.encode() or fail(f"{info.orig_filename}: another name in the local header")
            times.append((*fields[4:6], self.extra(info, extra, [info.file_size] * 2 if size == 0xffffffff else [])))
            info.header_offset == position or fail(f"{info.orig_filename}: not after the file before it")
            position += 30 + fields[9] + fields[10] + info.file_size
        position == start or fail("bytes that belong to no file")
        file.seek(start)
        for info, (time, date, unix) in zip(infos, times):
            fields = struct.unpack("<4s6H3I5H2I", file.read(46))
            name, extra = file.read(fields[10]), file.read(fields[11])
            size, offset = min(info.file_size, 0xffffffff), min(info.header_offset, 0xffffffff)
            far = [n for n in (info.file_size, info.file_size, info.header_offset) if n >= 0xffffffff]
            same = (b"PK\1\2", 0x32d, 45 if far else 20, 0x800, 0, time, date, info.CRC, size, size)
            fields[:10] == same and fields[12:15] == (0, 0, 0) and fields[16] == offset or fail(
                f"{info.orig_filename}: an unexpected directory record")
            fields[15] in (0o100644 << 16, 0o100755 << 16) or fail(f"{info.orig_filename}: an unexpected file mode")
            self.extra(info, extra, far) == unix or fail(f"{info.orig_filename}: two dates")
            self.dates[info.orig_filename] = unix
        end, count = file.tell(), len(infos)
        size = end - start
        large = count >= 0xffff or size >= 0xffffffff or start >= 0xffffffff
        expected = large * (struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 0x32d, 45, 0, 0, count, count, size, start)
                            + struct.pack("<4sIQI", b"PK\6\7", 0, end, 1))
        expected += struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, *[min(count, 0xffff)] * 2, min(size, 0xffffffff),
                                min(start, 0xffffffff), 0)
        file.read() == expected or fail("an unexpected end")

    def extra(self, info, data, numbers):
        """Verifies the extra fields: numbers that need 64 bits, then the time. Returns the time, if it is there."""
        expected = numbers and struct.pack(f"<2H{len(numbers)}Q", 1, 8 * len(numbers), *numbers) or b""
        rest = data[len(expected):]
        data.startswith(expected) and (not rest or len(rest) == 9 and rest.startswith(b"UT\5\0\1")) or fail(
            f"{info.orig_filename}: unexpected extra fields")
        return struct.unpack("<i", rest[5:])[0] if rest else None

    def audit_log(self):
        """Verifies that every entry holds the hash of the one before it, and that none is missing at the end."""
        count, last = 0, ZEROS
        for count, line in enumerate(self.lines("account/audit-log.jsonl"), 1):
            line = line[:-1] if line.endswith(b"\n") else line
            entry = json.loads(line)
            linked = entry["sequence"] == count and entry["previousHash"] == last
            linked or fail(f"line {count:,} does not follow the one before")
            last = hashlib.sha256(line).hexdigest()
        end = json.loads(self.read("account/account.json"))["auditLog"]
        end["entries"] == count or fail(f"{count:,} entries instead of {end['entries']}")
        count == 0 or end["sha256"] == last or fail("the last entry's hash does not match account.json")
        return "1 entry" if count == 1 else f"{count:,} entries"

    def run(self, source):
        label = f"keys: {shown(source or 'inside the ZIP')}"
        keys = self.check(label, lambda: key_set(load(source) if source else self.read("keys.json")))
        print("        They prove who made this export if they are the service's /.well-known/erasure-keys.json." if source else
              "        They prove only that this export is consistent. To prove who made it, add\n"
              "        --keys https://SERVICE/.well-known/erasure-keys.json")
        token = self.check("manifest.jws", lambda: (re.fullmatch(r"([\w-]+)\.([\w-]+)\.([\w-]+)\n?", self.read(
            "manifest.jws").decode("ascii")) or fail("not a compact JWS")).groups())
        if token:
            self.check("signature", lambda: self.signature(keys, token))
            self.check("signature header", lambda: self.header(token[0]))
        said = token and self.check("hash of manifest.json", lambda: self.statement(token[1]))
        listing = self.manifest()
        head = self.check("manifest.json", lambda: next(listing))
        if head and said:
            self.check("account", lambda: head["account"] if head["account"] == said["sub"] else fail("not the one signed"))
        self.check("layout of the ZIP", self.layout)
        failures, unlisted = self.members(listing) if head else ([], [])
        sys.stderr.isatty() and sys.stderr.write("\x1b[K")
        self.report(failures, f"files: {self.files:,}, {amount(self.size)}")
        self.report([(name, "not in the manifest") for name in unlisted], "no file besides those in the manifest")
        infos, names = self.archive.infolist(), self.archive.NameToInfo
        self.report([(i.filename, "duplicate name") for i in infos if names.get(i.filename) is not i], "no duplicate name")
        self.report([(i.orig_filename, "unsafe name") for i in infos if "\\" in i.orig_filename or "\0" in i.orig_filename
                     or ".." in i.orig_filename.split("/") or re.match("/|[A-Za-z]:|$", i.orig_filename)
                     or i.external_attr >> 28 == 0o12], "no unsafe name")  # 0o12: a symbolic link
        self.check("audit log", self.audit_log)
        missing = self.check("missing.json", lambda: [
            str(photo["path"]) for photo in json.loads(self.read("missing.json"))["missing"]])
        if self.check("export.json", lambda: json.loads(self.read("export.json"))["isCatalogDamaged"] is True and "damaged catalog"):
            self.damaged.append("the library's catalog: photos have no names")
        for kind, paths in (("damaged", self.damaged), ("missing", missing or [])):
            for path in sorted(paths):
                print(f"{kind} {shown(path)}")
        if self.problems:
            print(f"not verified: {self.problems:,} problem{'s' if self.problems > 1 else ''}")
            return 1
        lost = f"; {len(self.damaged):,} damaged and {len(missing):,} missing photos" if self.damaged or missing else ""
        print(f"verified: {self.files:,} files, {amount(self.size)}{lost}")
        return 3 if lost else 0

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("export", metavar="EXPORT.zip")
    parser.add_argument("--keys", metavar="FILE_OR_URL", help="the service's public keys, instead of those in the ZIP")
    options, begins = parser.parse_args(), b""
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with open(options.export, "rb") as file:
            begins = file.read(2)
        archive = zipfile.ZipFile(options.export)
    except Exception as error:
        print(f"FAILED  {shown(options.export)}: {shown(why(error))}")
        unreadable, is_zip = isinstance(error, OSError), begins == b"PK"
        print("not verified: " + ("unreadable" if unreadable else "truncated or damaged ZIP" if is_zip else "not a ZIP"))
        return 1 if unreadable or is_zip else 2
    with archive:
        return Export(archive).run(options.keys)

if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
