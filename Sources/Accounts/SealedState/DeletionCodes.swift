import Foundation
import PhotolalaAPI
import Secrets

/// The codes of deletions: those that show the status and receipt, and those that cancel. A code contains the account
/// id, sealed, so nothing is stored for it; a receipt code for a person without an account looks the same.
package struct DeletionCodes: Sendable {
    /// Who requested the deletion that a receipt code is about. A code of one requester is invalid for another.
    package enum Requester: Sendable, Equatable {
        case owner
        case provider(ProviderName)

        /// A provider's name contains no slash.
        var context: String {
            switch self {
            case .owner: "account/owner"
            case .provider(let name): name.description
            }
        }
    }

    /// What an undo code names.
    package struct Undo: Sendable, Equatable {
        package let user: UserID
        /// The deletion; a later deletion of the account has another id.
        package let deletion: UUID
    }

    /// The largest code, in characters.
    private static let maximumLength = 512

    private let keyRing: KeyRing
    private let randomness: Randomness

    package init(keyRing: KeyRing, randomness: Randomness) {
        self.keyRing = keyRing
        self.randomness = randomness
    }

    /// Creates a code of letters and digits that shows the state of a deletion and its receipt.
    /// - Parameter user: the account to delete; `nil` if the person has none.
    package func makeReceiptCode(
        for user: UserID?, requestedBy requester: Requester
    ) throws(SecretsError) -> String {
        try seal([user?.uuid ?? Self.none], for: .deletionReceipt, context: requester.context)
    }

    /// Returns the account id in a receipt code; the all-zero id for a person without an account.
    /// - Returns: `nil` if the code is not authentic.
    package func user(of code: String, requestedBy requester: Requester) -> UserID? {
        open(code, for: .deletionReceipt, context: requester.context, count: 1)?.first.map { UserID(uuid: $0) }
    }

    /// Creates a code of letters and digits that cancels a deletion.
    package func makeUndoCode(_ deletion: UUID, of user: UserID) throws(SecretsError) -> String {
        try seal([user.uuid, deletion], for: .deletionUndo, context: "")
    }

    /// Returns what an undo code names; `nil` if it is not authentic.
    package func undo(_ code: String) -> Undo? {
        guard let ids = open(code, for: .deletionUndo, context: "", count: 2) else { return nil }
        return Undo(user: UserID(uuid: ids[0]), deletion: ids[1])
    }

    private static let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private func seal(
        _ ids: [UUID], for purpose: SecretPurpose, context: String
    ) throws(SecretsError) -> String {
        let bytes = ids.reduce(into: Data()) { data, id in withUnsafeBytes(of: id.uuid) { data.append(contentsOf: $0) }
        }
        let sealed = try keyRing.seal(bytes, for: purpose, context: context, randomness: randomness)
        return Hex.encode(Data(sealed.utf8))
    }

    private func open(_ code: String, for purpose: SecretPurpose, context: String, count: Int) -> [UUID]? {
        guard code.utf8.count <= Self.maximumLength, let text = Hex.decode(code),
            let sealed = String(validating: text, as: UTF8.self),
            let bytes = try? keyRing.open(sealed, for: purpose, context: context), bytes.count == 16 * count
        else { return nil }
        return bytes.withUnsafeBytes { bytes in
            (0..<count).map { UUID(uuid: bytes.loadUnaligned(fromByteOffset: 16 * $0, as: uuid_t.self)) }
        }
    }
}
