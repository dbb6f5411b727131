import Foundation

/// All object keys of a Photolala store, defined only here; `docs/storage-layout.md` describes each.
public enum StorageLayout {
    // MARK: Provider identities

    /// The prefix of all identity bindings, each of which maps a provider identity to an account.
    public static let identities = "identities/"

    /// Returns the key of the identity binding of one provider identity; `segment` is the encoded subject.
    public static func identity(_ provider: ProviderName, segment: String) -> String {
        "\(identities)\(provider)/\(segment)"
    }

    /// Returns the key of the e-mail hint under a keyed hash. A hint names the account to check and never signs in.
    public static func emailHint(_ hash: String) -> String { "\(identities)email/\(hash)" }

    // MARK: Accounts, written only by the service

    /// The prefix of all account objects.
    public static let accounts = "accounts/"

    /// Returns the prefix of one account's objects.
    public static func account(_ user: UserID) -> String { "\(accounts)\(user)/" }

    /// Returns the key of the account document, which the user cannot write: state, links, tier, quota, session epoch,
    /// audit head.
    public static func accountDocument(_ user: UserID) -> String { "\(account(user))account.json" }

    /// Returns the prefix of one account's devices.
    public static func devices(_ user: UserID) -> String { "\(account(user))devices/" }

    /// Returns the key of one device record, which includes its session.
    public static func device(_ user: UserID, _ device: DeviceID) -> String { "\(devices(user))\(device).json" }

    /// Returns the key of a cache of the device records of one account, so that listing devices reads one object.
    public static func deviceList(_ user: UserID) -> String { "\(account(user))device-list.json" }

    /// Returns the prefix of one account's audit log.
    public static func audit(_ user: UserID) -> String { "\(account(user))audit/" }

    /// Returns the key of one entry of the account's audit log. The sequence is padded so that a listing is in order.
    public static func auditEntry(_ user: UserID, sequence: Int) -> String {
        let digits = String(sequence)
        return "\(audit(user))\(String(repeating: "0", count: max(0, 10 - digits.count)))\(digits)"
    }

    /// Returns the key of the account's last storage count.
    public static func usage(_ user: UserID) -> String { "\(account(user))usage.json" }

    /// Returns the key of the quota reservations for the account's outstanding uploads.
    public static func reservations(_ user: UserID) -> String { "\(account(user))reservations.json" }

    /// Returns the key of the account's profile picture.
    public static func picture(_ user: UserID) -> String { "\(account(user))picture" }

    /// Returns the prefix of the provider tokens of one account.
    public static func providerTokens(_ user: UserID) -> String { "\(account(user))provider-tokens/" }

    /// Returns the key of the sealed provider tokens of one link.
    public static func providerTokens(_ user: UserID, _ link: LinkID) -> String {
        "\(providerTokens(user))\(link).json"
    }

    /// Returns the prefix of the shared links of one account.
    public static func sharedLinks(_ user: UserID) -> String { "\(account(user))shared-links/" }

    /// Returns the key of one shared link. Its id derives from the secret in the link's address and does not open it.
    public static func sharedLink(_ user: UserID, id: String) -> String { "\(sharedLinks(user))\(id).json" }

    // MARK: Shared by the instances of the service

    /// The prefix of the service's internal objects.
    public static let service = "service/"

    /// The store's manifest: its environment, layout and subject encoding. Never expires.
    public static let storeManifest = "\(service)store.json"

    /// The signing keys of access tokens. Never expires, but the keys inside do.
    public static let signingKeys = "\(service)signing-keys.json"

    /// The settings that all instances on the store must share. Never expires.
    public static let deployment = "\(service)deployment.json"

    /// Returns the key of the issuers of a provider. Never expires.
    public static func providerIssuer(_ provider: ProviderName) -> String { "\(service)providers/\(provider)" }

    /// The prefix of the markers of consumed challenges and pending identities, in order of their expiry.
    public static let usedMarkers = "\(service)spent/"

    /// Returns the key of the marker of one consumed value. It can be removed after `expiry`, in seconds since 1970.
    public static func usedMarker(expiry: Int, id: String) -> String { "\(usedMarkers)\(expiry)/\(id)" }

    /// The prefix of the decisions about devices that wait for approval, in order of their expiry.
    public static let deviceCodes = "\(service)device-codes/"

    /// Returns the key of the decision about a waiting device.
    /// - Parameters:
    ///   - window: The number of the five-minute window since 1970 in which the code expires.
    ///   - code: The code that the user types.
    public static func deviceCode(window: Int64, code: String) -> String {
        let digits = String(window)
        return "\(deviceCodes)\(String(repeating: "0", count: max(0, 10 - digits.count)))\(digits)/\(code)"
    }

    /// Returns the key of the record of one subscription: its account and the data that Apple signed. Never expires.
    /// - Parameter environment: The App Store environment, in lower case.
    public static func subscription(environment: String, originalTransactionID: String) -> String {
        "\(service)subscriptions/\(environment)/\(originalTransactionID).json"
    }

    /// Returns the key of the time up to which the App Store was polled for missed notifications.
    public static func notificationPoll(environment: String) -> String { "\(service)app-store/\(environment).json" }

    /// The prefix of the trials.
    public static let trials = "\(service)trials/"

    /// Returns the key that records that an identity has used its trial, under a keyed hash. Removed two years after the
    /// trial's end.
    public static func trial(_ hash: String) -> String { "\(trials)\(hash)" }

    /// The prefix of the pending calls to providers.
    public static let providerCalls = "\(service)provider-calls/"

    /// Returns the key of one pending call to a provider.
    public static func providerCall(_ id: UUID) -> String { "\(providerCalls)\(id.uuidString.lowercased()).json" }

    /// The prefix of the pending event deliveries.
    public static let eventDeliveries = "\(service)events/"

    /// Returns the key that records that an account has events to deliver.
    public static func eventDelivery(_ user: UserID) -> String { "\(eventDeliveries)\(user).json" }

    /// The prefix of the pending security e-mails.
    public static let mailDeliveries = "\(service)mail/"

    /// Returns the key that records that an account has security e-mails to send.
    public static func mailDelivery(_ user: UserID) -> String { "\(mailDeliveries)\(user).json" }

    /// The prefix of the marks of accounts whose stored bytes may have changed since they were counted.
    public static let usageChanges = "\(service)usage-changes/"

    /// Returns the prefix of the marks of one account.
    public static func usageChanges(_ user: UserID) -> String { "\(usageChanges)\(user)/" }

    /// Returns the key of the mark that covers the changes of an account which end in a period of six hours.
    /// - Parameter period: the number of the period since 1970.
    public static func usageChange(_ user: UserID, period: Int64) -> String { "\(usageChanges(user))\(period)" }

    /// The prefix of the marks of accounts to which an operator moves an identity.
    public static let identityMoves = "\(service)identity-moves/"

    /// Returns the prefix of the marks of one account.
    public static func identityMoves(_ user: UserID) -> String { "\(identityMoves)\(user)/" }

    /// Returns the key of the mark of a move to an account.
    public static func identityMove(_ user: UserID, _ move: UUID) -> String {
        "\(identityMoves(user))\(move.uuidString.lowercased())"
    }

    /// The prefix of all exports.
    public static let exports = "\(service)exports/"

    /// Returns the prefix of the account's exports.
    public static func exports(_ user: UserID) -> String { "\(exports)\(user)/" }

    /// Returns the prefix of what is stored for one export.
    public static func export(_ user: UserID, _ id: ExportID) -> String { "\(exports(user))\(id)/" }

    /// Returns the key of the beginning of an export's archive: the account's files and the catalog.
    public static func exportHead(_ user: UserID, _ id: ExportID) -> String { "\(export(user, id))head" }

    /// Returns the key of the digests of a block of an export's photos.
    public static func exportDigests(_ user: UserID, _ id: ExportID, block: Int) -> String {
        "\(export(user, id))digests/\(block)"
    }

    /// Returns the key of an export's signature.
    public static func exportSignature(_ user: UserID, _ id: ExportID) -> String { "\(export(user, id))signature" }

    /// The prefix of the scheduled and unfinished deletions of accounts.
    public static let deletions = "\(service)deletions/"

    /// Returns the key that records that the deletion of an account is scheduled or in progress.
    public static func deletion(_ user: UserID) -> String { "\(deletions)\(user).json" }

    /// The prefix of the erasure ledger.
    public static let erasures = "\(service)erasures/"

    /// Returns the key that records that an account was deleted, under a keyed hash of its ID. Never expires: an account
    /// that a backup brings back is deleted again.
    public static func erasure(_ hash: String) -> String { "\(erasures)\(hash).json" }

    /// The signing key of deletion receipts. Never expires.
    public static let erasureKey = "\(service)erasure-key.json"

    /// The prefix of the call counts that the instances share.
    public static let callCounts = "\(service)call-counts/"

    /// Returns the key of the call counts of one instance.
    public static func callCounts(of copy: UUID) -> String { "\(callCounts)\(copy.uuidString.lowercased()).json" }

    /// Returns the key of the mapping of a team transfer ID; `hash` is the SHA-256 of the ID, in hex.
    public static func teamTransferID(hash: String) -> String { "\(service)team-transfers/ids/\(hash).json" }

    /// Returns the key of the team transfer mapping under the link's ID.
    public static func teamTransfer(of link: LinkID) -> String { "\(service)team-transfers/links/\(link).json" }

    /// The progress of the scrub of a storage folder.
    public static let scrub = "\(service)scrub.json"

    /// The prefix of the leases.
    public static let leases = "\(service)leases/"

    /// Returns the key of the lease of a job that one instance runs for all.
    public static func lease(_ job: String) -> String { "\(leases)\(job).json" }

    /// The prefix of the keys of the operator API.
    public static let operatorKeys = "\(service)operators/"

    /// Returns the key of the record of one key of the operator API. Never expires.
    public static func operatorKey(_ id: String) -> String { "\(operatorKeys)\(id).json" }

    /// The prefix of the log of operator calls, in order of their days.
    public static let operatorCalls = "\(service)operator-log/"

    /// Returns the key of one operator call.
    public static func operatorCall(day: String, id: String) -> String { "\(operatorCalls)\(day)/\(id).json" }

    /// The prefix of the objects with which an instance checks a bucket.
    public static let bucketProbes = "\(service)check/"

    /// Returns the key of an object that a starting instance writes and removes to check a bucket. It remains only if
    /// the instance was killed in between.
    public static func bucketProbe(_ id: UUID) -> String { "\(bucketProbes)\(id.uuidString.lowercased())" }

    /// Returns the key of the sealed signing key of the development provider, only in `dev`.
    public static func developmentKey(_ provider: ProviderName) -> String {
        "\(service)development-keys/\(provider).json"
    }

    /// The prefix of the parts of unfinished multipart uploads on the one-machine S3 endpoint.
    public static let uploads = "\(service)uploads/"

    /// Returns the prefix of the parts and records of one user's uploads.
    public static func uploads(_ user: UserID) -> String { "\(uploads)\(user)/" }

    /// Exists while a snapshot is restored into a new store. The service refuses to start on a partly restored store.
    public static let recovery = "\(service)recovery.json"

    /// The prefix of the per-object state of a legacy import. Removed when the import completes.
    public static let legacyMoves = "\(service)older-layouts/"

    /// Returns the prefix of the import state of one user's objects.
    public static func legacyMoves(_ user: UserID) -> String { "\(legacyMoves)\(user)/" }

    /// Returns the key of the import state of one object; `id` is derived from the object's key.
    public static func legacyMove(_ user: UserID, id: String) -> String { "\(legacyMoves(user))\(id).json" }

    /// The prefixes of keys in `service/` that a snapshot omits: objects that expire or are recreated.
    public static let outsideSnapshots = [
        deployment, signingKeys, usedMarkers, callCounts, leases, bucketProbes, uploads, usageChanges, recovery,
        legacyMoves, scrub, operatorKeys,
    ]

    // MARK: Accessible with a user's own credentials

    /// Returns the prefixes of the user's own objects, each ending in `/`.
    public static func userPrefixes(_ user: UserID) -> [String] {
        [photos(user), thumbnails(user), catalogs(user), userData(user)]
    }

    /// The prefix of all users' photos.
    public static let photos = "photos/"

    /// Returns the prefix of the user's photos.
    public static func photos(_ user: UserID) -> String { "\(photos)\(user)/" }

    /// Returns the key of one photo or video: the MD5 of its bytes, 32 lower-case hex digits.
    public static func photo(_ user: UserID, md5: String) -> String { "\(photos(user))\(md5).dat" }

    /// The prefix of all users' thumbnails.
    public static let thumbnails = "thumbnails/"

    /// Returns the prefix of the user's thumbnails.
    public static func thumbnails(_ user: UserID) -> String { "\(thumbnails)\(user)/" }

    /// Returns the key of a photo's thumbnail, named by the photo's MD5.
    public static func thumbnail(_ user: UserID, md5: String) -> String { "\(thumbnails(user))\(md5).jpg" }

    /// Returns the prefix of the user's previews. It is below that of the thumbnails, so that what permits, counts or
    /// erases thumbnails includes previews.
    public static func previews(_ user: UserID) -> String { "\(thumbnails(user))previews/" }

    /// Returns whether a key is below the prefix of a user's previews.
    public static func isPreview(_ key: String) -> Bool {
        let behindUser = key.utf8.dropFirst(thumbnails.utf8.count + 37)
        return key.utf8.starts(with: thumbnails.utf8) && behindUser.starts(with: "previews/".utf8)
    }

    /// Returns the key of a photo's preview, named by the photo's MD5.
    public static func preview(_ user: UserID, md5: String) -> String { "\(previews(user))\(md5).jpg" }

    /// The prefix of all users' catalogs.
    public static let catalogs = "catalogs/"

    /// Returns the prefix of the user's catalogs.
    public static func catalogs(_ user: UserID) -> String { "\(catalogs)\(user)/" }

    /// Returns the common prefix of the catalog pointer and all catalog files.
    public static func catalogFiles(_ user: UserID) -> String { "\(catalogs(user)).photolala." }

    /// Returns the key of the pointer to the newest catalog snapshot.
    public static func catalogPointer(_ user: UserID) -> String { "\(catalogs(user)).photolala.md5" }

    /// Returns the key of a catalog snapshot: the MD5 of its bytes, 32 lower-case hex digits.
    public static func catalogSnapshot(_ user: UserID, md5: String) -> String {
        "\(catalogs(user)).photolala.\(md5).csv"
    }

    /// The prefix of all users' profiles and preferences.
    public static let userData = "users/"

    /// Returns the prefix of the user's profile and preferences.
    public static func userData(_ user: UserID) -> String { "\(userData)\(user)/" }

    /// Returns the key of the user's own profile.
    public static func profile(_ user: UserID) -> String { "\(userData(user))profile.json" }

    /// Returns the key of the document that lists the user's favorite photos.
    public static func favorites(_ user: UserID) -> String { "\(userData(user))favorites.json" }

    /// Returns the key of the document that lists the user's hidden photos.
    public static func hidden(_ user: UserID) -> String { "\(userData(user))hidden.json" }

    /// Returns the key of the document with the user's albums.
    public static func albums(_ user: UserID) -> String { "\(userData(user))albums.json" }

    /// Returns the prefix of the photo descriptions of older versions. No current version writes there.
    public static func metadata(_ user: UserID) -> String { "\(userData(user))metadata/" }

    // MARK: Legacy layouts, the source of a legacy import

    /// The first path segments under which legacy layouts stored users' objects, in the order of the import.
    public static let legacyFolders = ["users/", "photos/", "thumbnails/", "catalogs/", "metadata/"]

    /// The provider folder names of legacy layouts, mapped to the current provider names.
    public static let legacyProviders: [String: String] = [
        "appleid": "apple", "googleid": "google", "fbid": "facebook",
    ]
}
