import Crypto
import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Which link an id of a team transfer stands for: `service/team-transfers/ids/{hash}.json`, and the same under the link's
/// own id, so that nobody is asked about twice.
struct PreparedTransfer: VersionedDocument {
    var version: Int
    let user: UserID
    let link: LinkID
    /// The provider's id of the team that the person goes to.
    let team: String
    let preparedAt: Date
    let sealedID: String

    /// How long ids are taken, in seconds: the provider's 60 days after the app has moved, and a month to prepare it.
    static let lifetime: TimeInterval = 90 * 86_400

    static func key(id: String) -> ObjectKey {
        ObjectKey(known: StorageLayout.teamTransfer(hash: Hex.encode(SHA256.hash(data: Data(id.utf8)))))
    }

    static func key(_ link: LinkID) -> ObjectKey { ObjectKey(known: StorageLayout.teamTransfer(of: link)) }
}
