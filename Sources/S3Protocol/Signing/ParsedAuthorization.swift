import Foundation

/// The signature parameters of a request, parsed strictly. Nothing is verified with a key yet.
package struct ParsedAuthorization: Sendable, Equatable {
    package let accessKeyID: String
    package let scope: CredentialScope
    /// Sorted, unique, lower-case names, including `host`.
    package let signedHeaders: [String]
    /// 64 lower-case hex digits.
    package let signature: String
    package let timestamp: AWSTimestamp
    /// The lifetime of a presigned request in seconds; `nil` for a signature in the header.
    package let expires: Int?

    /// Parses the `Authorization` header together with `x-amz-date`.
    package init(header: String, date: String?) throws(AuthorizationError) {
        let halves = header.split(separator: " ", maxSplits: 1)
        guard halves.first == "AWS4-HMAC-SHA256", halves.count == 2 else { throw .unsupportedAlgorithm }
        var parts: [String: Substring] = [:]
        for piece in halves[1].split(separator: ",", maxSplits: 8) {
            let trimmed = piece.drop { $0 == " " }
            guard let equals = trimmed.firstIndex(of: "=") else { throw .malformed("Authorization") }
            let name = String(trimmed[..<equals])
            guard parts[name] == nil else { throw .malformed(name) }
            parts[name] = trimmed[trimmed.index(after: equals)...]
        }
        guard let date, let timestamp = AWSTimestamp(date) else { throw .badDate }
        try self.init(
            credential: parts["Credential"], signedHeaders: parts["SignedHeaders"], signature: parts["Signature"],
            timestamp: timestamp, expires: nil
        )
    }

    /// Parses the decoded parameters of a presigned request.
    package init(query items: [(name: String, value: String)]) throws(AuthorizationError) {
        var parts: [String: Substring] = [:]
        for item in items where item.name.hasPrefix("X-Amz-") {
            guard parts[item.name] == nil else { throw .malformed(item.name) }
            parts[item.name] = Substring(item.value)
        }
        guard parts["X-Amz-Algorithm"] == "AWS4-HMAC-SHA256" else { throw .unsupportedAlgorithm }
        guard let date = parts["X-Amz-Date"], let timestamp = AWSTimestamp(date) else { throw .badDate }
        guard let text = parts["X-Amz-Expires"], text.utf8.count <= 6, let expires = Int(text),
            (1...604_800).contains(expires)
        else { throw .badExpiry }
        try self.init(
            credential: parts["X-Amz-Credential"], signedHeaders: parts["X-Amz-SignedHeaders"],
            signature: parts["X-Amz-Signature"], timestamp: timestamp, expires: expires
        )
    }

    private init(
        credential: Substring?, signedHeaders: Substring?, signature: Substring?, timestamp: AWSTimestamp, expires: Int?
    ) throws(AuthorizationError) {
        let fields = (credential ?? "").split(separator: "/", omittingEmptySubsequences: false)
        guard fields.count == 5, fields.dropFirst().allSatisfy({ !$0.isEmpty }), fields[4] == "aws4_request",
            (1...128).contains(fields[0].utf8.count)
        else { throw .malformed("Credential") }
        guard fields[1] == timestamp.day else { throw .malformed("Credential date") }
        let names = (signedHeaders ?? "").split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= 100, names.contains("host"), names.allSatisfy(Self.isFieldName),
            zip(names, names.dropFirst()).allSatisfy({ $0.utf8.lexicographicallyPrecedes($1.utf8) })
        else { throw .malformed("SignedHeaders") }
        guard let signature, PayloadHash(String(signature)) == .sha256(String(signature)) else {
            throw .malformed("Signature")
        }
        accessKeyID = String(fields[0])
        scope = CredentialScope(day: String(fields[1]), region: String(fields[2]), service: String(fields[3]))
        self.signedHeaders = names
        self.signature = String(signature)
        self.timestamp = timestamp
        self.expires = expires
    }

    private static func isFieldName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
