import Secrets

/// The chain of signatures in an `aws-chunked` body: each covers the previous one, the first covers the request's.
package struct ChunkSigner: Sendable {
    private var previous: String
    private let key: SigningKey
    private let timestamp: AWSTimestamp

    package init(seed: String, key: SigningKey, timestamp: AWSTimestamp) {
        previous = seed
        self.key = key
        self.timestamp = timestamp
    }

    /// Signs the next chunk, including the empty last one.
    /// - Parameter hash: The SHA-256 of the chunk's bytes in lower-case hex.
    package mutating func sign(chunkHash hash: String) -> String {
        previous = key.signature(of: chunkText(hash))
        return previous
    }

    /// Signs the trailer.
    /// - Parameter hash: The SHA-256 of the trailer's `name:value\n` lines in lower-case hex.
    package mutating func sign(trailerHash hash: String) -> String {
        previous = key.signature(of: trailerText(hash))
        return previous
    }

    /// Returns whether a signature is valid for the next chunk; if so, the chain advances.
    package mutating func accept(_ signature: String, chunkHash hash: String) -> Bool {
        guard key.isSignature(signature, of: chunkText(hash)) else { return false }
        previous = signature
        return true
    }

    /// Returns whether a signature is valid for the trailer.
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
