import ObjectStorage
import Secrets

extension Backoff {
    /// A backoff that does not wait.
    package static let none = Backoff(randomness: Randomness { [UInt8](repeating: 0, count: $0) }, sleep: { _ in })
}
