import Foundation

/// Every object key of a Photolala store, spelled here and nowhere else; `docs/storage-layout.md` explains each.
public enum StorageLayout {
    // MARK: Provider identities

    /// Prefix of all claims: which account a provider identity belongs to.
    public static let identities = "identities/"

    /// The claim of one provider identity; `segment` is the subject's safe spelling.
    public static func identity(_ provider: ProviderName, segment: String) -> String {
        "\(identities)\(provider)/\(segment)"
    }

    /// The e-mail hint under a keyed hash. It says which account to ask about and never signs anyone in.
    public static func emailHint(_ hash: String) -> String { "\(identities)email/\(hash)" }

    // MARK: Accounts, written by the service alone

    /// Prefix of all account objects.
    public static let accounts = "accounts/"

    /// Prefix of one account's objects.
    public static func account(_ user: UserID) -> String { "\(accounts)\(user)/" }

    /// What the user must not write: state, links, tier, quota, session epoch, audit head.
    public static func accountDocument(_ user: UserID) -> String { "\(account(user))account.json" }

    /// Prefix of one account's devices.
    public static func devices(_ user: UserID) -> String { "\(account(user))devices/" }

    /// One device and its session.
    public static func device(_ user: UserID, _ device: DeviceID) -> String { "\(devices(user))\(device).json" }

    /// What was last read of the records of one account's devices, so that a list reads one object. A cache.
    public static func deviceList(_ user: UserID) -> String { "\(account(user))device-list.json" }

    /// Prefix of one account's audit chain.
    public static func audit(_ user: UserID) -> String { "\(account(user))audit/" }

    /// One entry of the account's audit chain; the sequence is padded so that a listing is in order.
    public static func auditEntry(_ user: UserID, sequence: Int) -> String {
        let digits = String(sequence)
        return "\(audit(user))\(String(repeating: "0", count: max(0, 10 - digits.count)))\(digits)"
    }

    /// The last count of what the account stores.
    public static func usage(_ user: UserID) -> String { "\(account(user))usage.json" }

    /// What is kept free for the account's uploads that may still come.
    public static func reservations(_ user: UserID) -> String { "\(account(user))reservations.json" }

    /// Prefix of what providers gave for one account.
    public static func providerTokens(_ user: UserID) -> String { "\(account(user))provider-tokens/" }

    /// The sealed tokens that came with one link.
    public static func providerTokens(_ user: UserID, _ link: LinkID) -> String {
        "\(providerTokens(user))\(link).json"
    }

    // MARK: What the copies of the service share

    /// Prefix of everything the service keeps for itself.
    public static let service = "service/"

    /// The store's stamp: its environment, layout and how subjects are spelled. Never expires.
    public static let storeStamp = "\(service)store.json"

    /// The signing keys of access tokens. Never expires; keys inside do.
    public static let signingKeys = "\(service)signing-keys.json"

    /// Settings that all instances on the store must share. Never expires.
    public static let deployment = "\(service)deployment.json"

    /// The issuers that a provider's name stands for. Never expires.
    public static func providerIssuer(_ provider: ProviderName) -> String { "\(service)providers/\(provider)" }

    /// Prefix of the marks of spent challenges and pending identities, in order of their expiry.
    public static let spent = "\(service)spent/"

    /// The mark of one spent proof; `expiry` is in seconds since 1970, after which the mark may go.
    public static func spentMark(expiry: Int, id: String) -> String { "\(spent)\(expiry)/\(id)" }

    /// Prefix of the decisions about waiting devices, in order of their expiry.
    public static let deviceCodes = "\(service)device-codes/"

    /// The decision about a waiting device; `window` counts the five minutes since 1970 in which its code ends, `code` is
    /// what its person types.
    public static func deviceCode(window: Int64, code: String) -> String {
        let digits = String(window)
        return "\(deviceCodes)\(String(repeating: "0", count: max(0, 10 - digits.count)))\(digits)/\(code)"
    }

    /// What is known of one subscription: whose it is, and what Apple signed about it. Never expires.
    /// - Parameter environment: of the App Store, in lower case.
    public static func subscription(environment: String, originalTransactionID: String) -> String {
        "\(service)subscriptions/\(environment)/\(originalTransactionID).json"
    }

    /// Until when the App Store was asked for notifications that did not arrive.
    public static func notificationPoll(environment: String) -> String { "\(service)app-store/\(environment).json" }

    /// That an identity has had its trial, under a keyed hash. Never expires.
    public static func trial(_ hash: String) -> String { "\(service)trials/\(hash)" }

    /// Prefix of the calls to providers that are still to be made.
    public static let providerCalls = "\(service)provider-calls/"

    /// One of these calls.
    public static func providerCall(_ id: UUID) -> String { "\(providerCalls)\(id.uuidString.lowercased()).json" }

    /// Prefix of the deliveries of events that are still to be sent.
    public static let eventDeliveries = "\(service)events/"

    /// That an account has events to send.
    public static func eventDelivery(_ user: UserID) -> String { "\(eventDeliveries)\(user).json" }

    /// Prefix of what the copies tell each other of the calls they counted.
    public static let callCounts = "\(service)call-counts/"

    /// What one copy counted.
    public static func callCounts(of copy: UUID) -> String { "\(callCounts)\(copy.uuidString.lowercased()).json" }

    /// What an id of a team transfer stands for; `hash` is the SHA-256 of the id, in hex.
    public static func teamTransfer(hash: String) -> String { "\(service)team-transfers/ids/\(hash).json" }

    /// The same under the link's own id.
    public static func teamTransfer(of link: LinkID) -> String { "\(service)team-transfers/links/\(link).json" }

    /// How far the scrub of a folder has come.
    public static let scrub = "\(service)scrub.json"

    /// Prefix of the leases.
    public static let leases = "\(service)leases/"

    /// The lease of a job that one copy does for all.
    public static func lease(_ job: String) -> String { "\(leases)\(job).json" }

    /// Prefix of what tries a bucket.
    public static let bucketProbes = "\(service)check/"

    /// What a copy that starts writes and removes again to try a bucket; left over only where it was killed meanwhile.
    public static func bucketProbe(_ id: UUID) -> String { "\(bucketProbes)\(id.uuidString.lowercased())" }

    /// The sealed key with which the development provider signs, in `dev` alone.
    public static func developmentKey(_ provider: ProviderName) -> String {
        "\(service)development-keys/\(provider).json"
    }

    /// Prefix of the parts of unfinished multipart uploads on the one-machine S3 endpoint.
    public static let uploads = "\(service)uploads/"

    /// Prefix of the parts and records of one user's uploads.
    public static func uploads(_ user: UserID) -> String { "\(uploads)\(user)/" }

    /// Stands while a snapshot is written into a new store: nothing may start on one that is half there.
    public static let recovery = "\(service)recovery.json"

    /// Prefix of what a move from older layouts remembers of each object. Ends with the move.
    public static let moves = "\(service)older-layouts/"

    /// Prefix of what is remembered of one user's objects.
    public static func moves(_ user: UserID) -> String { "\(moves)\(user)/" }

    /// What is remembered of one object; `id` is made from its key.
    public static func move(_ user: UserID, id: String) -> String { "\(moves(user))\(id).json" }

    /// Beginnings of the keys in `service/` that a snapshot leaves out: what ends by itself, or is made anew.
    public static let outsideSnapshots = [
        deployment, signingKeys, spent, callCounts, leases, bucketProbes, uploads, recovery, moves, scrub,
    ]

    // MARK: What a user's own credentials reach

    /// The prefixes of the user's own objects, each ending in `/`.
    public static func userPrefixes(_ user: UserID) -> [String] {
        [photos(user), thumbnails(user), catalogs(user), userData(user)]
    }

    /// Prefix of the user's photos.
    public static func photos(_ user: UserID) -> String { "photos/\(user)/" }

    /// One photo or video under the MD5 of its bytes, 32 lower-case hex digits.
    public static func photo(_ user: UserID, md5: String) -> String { "\(photos(user))\(md5).dat" }

    /// Prefix of the user's thumbnails.
    public static func thumbnails(_ user: UserID) -> String { "thumbnails/\(user)/" }

    /// The thumbnail of a photo, named by the photo's MD5.
    public static func thumbnail(_ user: UserID, md5: String) -> String { "\(thumbnails(user))\(md5).jpg" }

    /// Prefix of the user's catalogs.
    public static func catalogs(_ user: UserID) -> String { "catalogs/\(user)/" }

    /// What the pointer and all files of catalogs begin with.
    public static func catalogFiles(_ user: UserID) -> String { "\(catalogs(user)).photolala." }

    /// The pointer to the newest catalog snapshot.
    public static func catalogPointer(_ user: UserID) -> String { "\(catalogs(user)).photolala.md5" }

    /// A catalog snapshot under the MD5 of its bytes, 32 lower-case hex digits.
    public static func catalogSnapshot(_ user: UserID, md5: String) -> String {
        "\(catalogs(user)).photolala.\(md5).csv"
    }

    /// Prefix of the user's profile and preferences.
    public static func userData(_ user: UserID) -> String { "users/\(user)/" }

    /// The user's own profile.
    public static func profile(_ user: UserID) -> String { "\(userData(user))profile.json" }

    /// Prefix of the descriptions of photos that older versions kept; nothing writes there any more.
    public static func metadata(_ user: UserID) -> String { "\(userData(user))metadata/" }

    // MARK: Older layouts, which a migration moves

    /// First segments under which older layouts kept users' objects, in the order in which they are moved.
    public static let olderFolders = ["users/", "photos/", "thumbnails/", "catalogs/", "metadata/"]

    /// Names of providers' folders in older layouts, with the names that the providers have now.
    public static let olderProviders: [String: String] = [
        "appleid": "apple", "googleid": "google", "fbid": "facebook",
    ]
}
