import Secrets
import Sharing
import Synchronization

/// Hashes the passwords of shared links, one at a time: a hash occupies a thread and memory, and strangers can ask for it.
actor SharedLinkPasswords {
    /// The most calls that wait or are carried out.
    private static let maximumWaiting = 20

    private let randomness: Randomness
    private let waiting = Mutex(0)

    init(randomness: Randomness) { self.randomness = randomness }

    /// - Throws: `unavailable` if too many calls wait.
    nonisolated func hash(_ password: String) async throws(ServiceError) -> SharedLinkPassword {
        try await perform { try $0.hashed(password) }
    }

    /// Returns whether a password is right.
    /// - Throws: `unavailable` if too many calls wait.
    nonisolated func matches(_ password: String, _ expected: SharedLinkPassword) async throws(ServiceError) -> Bool {
        try await perform { try $0.isMatch(password, expected) }
    }

    private nonisolated func perform<Value: Sendable>(
        _ act: (isolated SharedLinkPasswords) throws -> Value
    ) async throws(ServiceError) -> Value {
        let isAdmitted = waiting.withLock { waiting in
            guard waiting < Self.maximumWaiting else { return false }
            waiting += 1
            return true
        }
        guard isAdmitted else { throw .unavailable("too many passwords are being checked") }
        defer { waiting.withLock { $0 -= 1 } }
        do { return try await act(self) } catch { throw .internal("password hashing failed: \(error)") }
    }

    private func hashed(_ password: String) throws -> SharedLinkPassword {
        try SharedLinkPassword(password, randomness: randomness)
    }

    private func isMatch(_ password: String, _ expected: SharedLinkPassword) throws -> Bool {
        try expected.matches(password)
    }
}
