import Crypto
import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// The link behind a transfer id of an Apple team transfer: `service/team-transfers/ids/{hash}.json`, and the same
/// under the link's id, so that no id is requested twice.
package struct PreparedTransfer: VersionedDocument {
    package var version: Int
    package let user: UserID
    let link: LinkID
    /// The provider's id of the team to which the user is transferred.
    package let team: String
    package let preparedAt: Date
    package let sealedID: String

    /// How long transfer ids are accepted, in seconds: the provider's 60 days after the app has moved, and 30 days to
    /// prepare the move.
    package static let lifetime: TimeInterval = 90 * 86_400

    static func key(id: String) -> ObjectKey {
        ObjectKey(known: StorageLayout.teamTransferID(hash: Hex.encode(SHA256.hash(data: Data(id.utf8)))))
    }

    static func key(_ link: LinkID) -> ObjectKey { ObjectKey(known: StorageLayout.teamTransfer(of: link)) }
}
