import Secrets

/// The chain of signatures through an `aws-chunked` body: each covers the one before it, the first the request's.
package struct ChunkSignatures: Sendable {
    private var previous: String
    private let key: SigningKey
    private let timestamp: AWSTimestamp

    package init(seed: String, key: SigningKey, timestamp: AWSTimestamp) {
        previous = seed
        self.key = key
        self.timestamp = timestamp
    }

    /// Signs the next chunk, the empty last one included.
    /// - Parameter hash: SHA-256 of the chunk's bytes, lower-case hex.
    package mutating func sign(chunkHash hash: String) -> String {
        previous = key.signature(of: chunkText(hash))
        return previous
    }

    /// Signs the trailer.
    /// - Parameter hash: SHA-256 of the trailer's `name:value\n` lines, lower-case hex.
    package mutating func sign(trailerHash hash: String) -> String {
        previous = key.signature(of: trailerText(hash))
        return previous
    }

    /// Whether a signature is the next chunk's; when it is, the chain goes on from it.
    package mutating func accept(_ signature: String, chunkHash hash: String) -> Bool {
        guard key.isSignature(signature, of: chunkText(hash)) else { return false }
        previous = signature
        return true
    }

    /// Whether a signature is the trailer's.
    package func accept(_ signature: String, trailerHash hash: String) -> Bool {
        key.isSignature(signature, of: trailerText(hash))
    }

    private func chunkText(_ hash: String) -> String {
        "AWS4-HMAC-SHA256-PAYLOAD\n\(timestamp)\n\(key.scope)\n\(previous)\n\(PayloadHash.empty)\n\(hash)"
    }

    private func trailerText(_ hash: String) -> String {
        "AWS4-HMAC-SHA256-TRAILER\n\(timestamp)\n\(key.scope)\n\(previous)\n\(hash)"
    }
}
