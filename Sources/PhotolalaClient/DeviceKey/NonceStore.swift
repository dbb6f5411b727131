import HTTPTypes
import PhotolalaAPI
import Synchronization

/// The last nonce that a server issued for DPoP proofs.
final class NonceStore: Sendable {
    private static let maximumLength = 512
    private let storage = Mutex<String?>(nil)

    var nonce: String? { storage.withLock { $0 } }

    /// Stores the nonce of a response, if it has one of at most 512 bytes.
    func record(_ headers: HTTPFields) {
        guard let name = HTTPField.Name(DPoP.nonceField), let nonce = headers[name], !nonce.isEmpty,
            nonce.utf8.count <= Self.maximumLength
        else { return }
        storage.withLock { $0 = nonce }
    }
}
