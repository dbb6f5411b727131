import Crypto
import Synchronization

/// The access tokens whose signature an instance verified last, by their hash: an app sends the same token for an hour.
/// The key, the expiry and the session are still checked at each use.
///
/// Bounded by two generations: when the recent one is full, it replaces the previous one.
final class VerifiedTokens: Sendable {
    struct Entry: Sendable {
        let keyID: String
        let claims: AccessClaims
    }

    private struct Generations {
        var recent: [SHA256Digest: Entry] = [:]
        var previous: [SHA256Digest: Entry] = [:]
    }

    /// The number of tokens in a generation.
    private static let capacity = 4000

    private let generations = Mutex(Generations())

    subscript(_ digest: SHA256Digest) -> Entry? {
        get {
            generations.withLock { generations in
                if let found = generations.recent[digest] { return found }
                guard let found = generations.previous[digest] else { return nil }
                Self.insert(found, digest, into: &generations)
                return found
            }
        }
        set {
            guard let newValue else { return }
            generations.withLock { Self.insert(newValue, digest, into: &$0) }
        }
    }

    private static func insert(_ entry: Entry, _ digest: SHA256Digest, into generations: inout Generations) {
        if generations.recent.count >= capacity, generations.recent[digest] == nil {
            generations.previous = generations.recent
            generations.recent = [:]
        }
        generations.recent[digest] = entry
    }
}
