import HTTPTypes
import PhotolalaAPI
import Synchronization

/// The last nonce that a server issued for DPoP proofs.
final class NonceMemory: Sendable {
    private static let longest = 512
    private let last = Mutex<String?>(nil)

    var nonce: String? { last.withLock { $0 } }

    /// Stores the nonce of a response, if it has one of at most 512 bytes.
    func note(_ headers: HTTPFields) {
        guard let name = HTTPField.Name(DPoP.nonceField), let nonce = headers[name], !nonce.isEmpty,
            nonce.utf8.count <= Self.longest
        else { return }
        last.withLock { $0 = nonce }
    }
}
