import Foundation
import PhotolalaAPI
import Secrets

/// Status codes for deletion requests that a provider passed on. A code contains the account id, sealed, so nothing is
/// stored for it; a code for a user without an account looks the same.
package struct DeletionReceipts: Sendable {
    /// The largest code, in characters.
    private static let maximumLength = 512

    private let keyRing: KeyRing
    private let randomness: Randomness

    package init(keyRing: KeyRing, randomness: Randomness) {
        self.keyRing = keyRing
        self.randomness = randomness
    }

    /// Creates a code of letters and digits.
    /// - Parameter user: the account to delete; `nil` if the user has none.
    package func makeCode(for user: UserID?, of provider: ProviderName) throws(SecretsError) -> String {
        let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        let bytes = withUnsafeBytes(of: (user?.uuid ?? none).uuid) { Data($0) }
        let sealed = try keyRing.seal(
            bytes, for: .deletionReceipt, context: provider.description, randomness: randomness
        )
        return Hex.encode(Data(sealed.utf8))
    }

    /// Returns the account id in a code; the all-zero id for a user without an account.
    /// - Returns: `nil` if the code is not authentic.
    package func user(of code: String, _ provider: ProviderName) -> UserID? {
        guard code.utf8.count <= Self.maximumLength, let text = Hex.decode(code),
            let sealed = String(validating: text, as: UTF8.self),
            let bytes = try? keyRing.open(sealed, for: .deletionReceipt, context: provider.description),
            bytes.count == 16
        else { return nil }
        let uuid = bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        return UserID(uuid: UUID(uuid: uuid))
    }
}
