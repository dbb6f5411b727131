import HTTPTypes
import PhotolalaAPI
import Synchronization

/// The last nonce that a server gave for proofs.
final class NonceMemory: Sendable {
    private static let longest = 512
    private let last = Mutex<String?>(nil)

    var nonce: String? { last.withLock { $0 } }

    /// Keeps what an answer gives, if it does.
    func note(_ headers: HTTPFields) {
        guard let name = HTTPField.Name(DPoP.nonceField), let nonce = headers[name], !nonce.isEmpty,
            nonce.utf8.count <= Self.longest
        else { return }
        last.withLock { $0 = nonce }
    }
}
