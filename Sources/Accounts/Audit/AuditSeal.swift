import Foundation
import PhotolalaAPI
import Secrets

/// An authentication code for the end of an audit log. Each entry contains the hash of the previous one, so the code
/// covers the whole log.
package struct AuditSeal: Codable, Sendable, Equatable {
    package let keyID: String
    package let code: String

    static let none = AuditSeal(keyID: "", code: "")
}

/// Seals the ends of audit logs with the key ring and verifies seals.
package struct AuditSealer: Sendable {
    let keyRing: KeyRing

    /// The result of checking a seal.
    package enum Verdict {
        case authentic
        /// The seal's key is not in the key ring.
        case keyUnknown
        case forged
    }

    func seal(of user: UserID, sequence: Int, hash: String) throws(AccountError) -> AuditSeal {
        do {
            let code = try keyRing.authenticationCode(of: message(user, sequence, hash), for: .auditChain)
            return AuditSeal(keyID: keyRing.currentKeyID, code: Base64URL.encode(code))
        } catch {
            throw .secrets(error)
        }
    }

    package func verify(_ head: AuditHead, of user: UserID) -> Verdict {
        guard keyRing.keyIDs.contains(head.seal.keyID) else { return .keyUnknown }
        guard let code = Base64URL.decode(head.seal.code) else { return .forged }
        let message = message(user, head.sequence, head.hash)
        return keyRing.isAuthentic(code, of: message, for: .auditChain, keyID: head.seal.keyID) ? .authentic : .forged
    }

    private func message(_ user: UserID, _ sequence: Int, _ hash: String) -> Data {
        Data("\(user)/\(sequence)/\(hash)".utf8)
    }
}
