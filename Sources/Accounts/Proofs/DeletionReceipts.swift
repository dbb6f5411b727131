import Foundation
import PhotolalaAPI
import Secrets

/// Codes for asking what became of a wish for deletion that a provider passed on. The code itself says whose wish it was,
/// sealed, so nothing is kept for it; one of somebody without an account looks the same.
package struct DeletionReceipts: Sendable {
    /// A code's longest spelling.
    private static let maximumLength = 512

    private let keyRing: KeyRing
    private let randomness: Randomness

    package init(keyRing: KeyRing, randomness: Randomness) {
        self.keyRing = keyRing
        self.randomness = randomness
    }

    /// A code of letters and digits.
    /// - Parameter user: whose account it is about; `nil` where there is none.
    package func code(for user: UserID?, of provider: ProviderName) throws(SecretsError) -> String {
        let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        let bytes = withUnsafeBytes(of: (user?.uuid ?? none).uuid) { Data($0) }
        let sealed = try keyRing.seal(
            bytes, for: .deletionReceipt, context: provider.description, randomness: randomness
        )
        return Hex.encode(Data(sealed.utf8))
    }

    /// The account that a code is about: one that is none for a wish of somebody who had no account.
    /// - Returns: `nil` for what is no code of ours.
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
