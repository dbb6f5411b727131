import Foundation

/// A source of unpredictable bytes: the system's generator in production, a seeded one in tests.
package struct Randomness: Sendable {
    private let fill: @Sendable (Int) -> [UInt8]

    /// - Parameter fill: returns exactly the requested number of bytes.
    package init(fill: @escaping @Sendable (Int) -> [UInt8]) { self.fill = fill }

    /// The operating system's cryptographic generator.
    package static let system = Randomness { count in
        [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            while filled < count {
                let next = min(count - filled, largestRequest)
                // It fails only for a larger request or an invalid address.
                precondition(getentropy(bytes.baseAddress?.advanced(by: filled), next) == 0, "no random bytes")
                filled += next
            }
        }
    }

    /// The most bytes that one system call returns (getentropy(3)).
    private static let largestRequest = 256

    /// Returns `count` unpredictable bytes.
    package func bytes(_ count: Int) -> [UInt8] { fill(count) }

    /// Returns a random UUID (RFC 9562 version 4).
    package func uuid() -> UUID {
        var bytes = fill(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
