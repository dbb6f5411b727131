import Foundation
import PhotolalaAPI

@testable import PhotolalaServer
@testable import S3Protocol
@testable import Secrets
@testable import Transport

extension FuzzedParser {
    /// Single values in header fields, paths, queries and documents.
    static func values() -> [FuzzedParser] { encodings() + fields() + names() }

    private static func encodings() -> [FuzzedParser] {
        [
            FuzzedParser(text: "percent-encoding", ["a%20b/%C3%A9", "~-._", "a=b&c=%26&d"], tokens: .http) { text in
                let encoded = AWSPercentEncoding.encode(text)
                let back = AWSPercentEncoding.decode(encoded)
                try PropertyViolation.unless(
                    back.map { $0.utf8.elementsEqual(text.utf8) } ?? false, "decoding reverses encoding")
                let canonical = AWSPercentEncoding.canonical(text, keepingSlash: true)
                let again = AWSPercentEncoding.canonical(canonical, keepingSlash: true)
                // A malformed escape is plain text, and its canonical form can be decoded.
                try PropertyViolation.unless(
                    canonical == again || AWSPercentEncoding.decode(text) == nil, "the canonical form is stable")
                return AWSPercentEncoding.parseQuery(text) != nil && AWSPercentEncoding.decode(text) != nil
            },
            FuzzedParser(text: "base64url", ["AQID", "_-8", ""]) { text in
                guard let bytes = Base64URL.decode(text) else { return false }
                try PropertyViolation.unless(
                    Base64URL.encode(bytes).utf8.elementsEqual(text.utf8), "one text for one value")
                return true
            },
            FuzzedParser(text: "AWS timestamp", ["20261122T235959Z", "19700101T000000Z"]) { text in
                guard let stamp = AWSTimestamp(text) else { return false }
                try PropertyViolation.unless(
                    AWSTimestamp(stamp.date).description == text, "a moment is read as it was written")
                return true
            },
            FuzzedParser(text: "S3 date", ["Sun, 06 Nov 1994 08:49:37 GMT", "2026-11-22T00:00:00.000Z"]) { text in
                let dates = [S3Date.http(text), S3Date.xml(text)].compactMap(\.self)
                for date in dates {
                    try PropertyViolation.unless(S3Date.http(S3Date.http(date)) == date, "HTTP's date")
                    try PropertyViolation.unless(S3Date.xml(S3Date.xml(date)) == date, "XML's date")
                }
                return !dates.isEmpty
            },
        ]
    }

    private static func fields() -> [FuzzedParser] {
        [
            FuzzedParser(text: "Content-Type", ["application/json; charset=\"utf-8\"", "a/b;;c=d"], tokens: .http) {
                text in
                guard let type = PhotolalaServer.MediaType(text) else { return false }
                try PropertyViolation.unless(
                    PhotolalaServer.MediaType(type.name)?.name == type.name, "a type's name is a type")
                return true
            },
            FuzzedParser(text: "If-Match", ["*", "\"abc\", W/\"d\",,\"e\""], tokens: .http) { IfMatch($0) != nil },
            FuzzedParser(
                text: "address by a proxy", ["192.0.2.1:443", "[2001:db8::1]:80", "2001:db8::1", "::ffff:1.2.3.4"],
                tokens: .http
            ) { text in
                guard let address = IPAddress(writtenByProxy: text[...]) else { return false }
                try PropertyViolation.unless(
                    address.width == 128 || address.value >> 32 == 0, "an address has its width")
                return true
            },
            FuzzedParser(
                text: "address to send to", ["https://a.example:443/b%20c?d=e", "http://[::1]/"], tokens: .http
            ) { text in
                guard VerbatimURL.isVerbatim(text) else { return false }
                let sent = URL(string: text).map(\.absoluteString) ?? text
                let port = URL(string: text)?.port ?? 1
                try PropertyViolation.unless((1...65_535).contains(port), "the port is one")
                try PropertyViolation.unless(sent.utf8.elementsEqual(text.utf8), "the text is sent unchanged")
                return true
            },
        ]
    }

    private static func names() -> [FuzzedParser] {
        [
            FuzzedParser(text: "UUID", ["0a000000-0000-4000-8000-00000000000A"]) { text in
                guard let id = UserID(text) else { return false }
                try PropertyViolation.unless(
                    UserID(id.description) == id && id.description == text.lowercased(), "36 characters")
                return true
            },
            FuzzedParser(
                text: "pairing code",
                [
                    "photolala-pair://[fd00::1]:80/?key=\(String(repeating: "A", count: 43))&secret=abcdefghijklmnopqrstu-"
                ], tokens: .http
            ) { text in
                guard let code = PairingCode(text) else { return false }
                try PropertyViolation.unless(PairingCode(code.description) == code, "a code is read as it was written")
                return true
            },
            FuzzedParser(text: "provider name", ["apple", "my-issuer-2"]) { text in
                guard let name = ProviderName(text) else { return false }
                try PropertyViolation.unless(name.description.utf8.elementsEqual(text.utf8), "a name equals its text")
                return true
            },
        ]
    }
}
