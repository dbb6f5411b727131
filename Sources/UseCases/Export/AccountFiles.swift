import Accounts
import Foundation
import LibraryExport
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Sessions
import Sharing
import StorageAccess

/// Writes the account's files of an export: everything that `PersonalData.all` exports except photos and catalog.
struct AccountFiles: Sendable {
    let accounts: AccountDirectory
    let deviceList: DeviceList
    let presenter: AccountPresenter
    let usage: UsageCounts
    let pictures: ProfilePictures
    let sharedLinks: SharedLinks
    /// The URL of the service, without a trailing slash.
    let publicURL: String

    /// The number of audit entries read concurrently.
    private static let parallelReads = 16

    /// Returns the files of an account. One read for each audit entry and for each object of the person's own data.
    /// - Parameter store: the store with the person's credentials.
    func files(
        of account: AccountDocument, at time: Date, in store: any ObjectStore
    ) async throws -> AccountExportFiles {
        let user = account.serviceUserID
        // The first export of a store creates the key that signs it.
        try await accounts.erasureKey.open()
        let devices = try await deviceList.listedDevices(of: user)
        let entries = try await auditEntries(of: account)
        let shown = try presenter.show(
            account, lastUsed: try await presenter.lastUsed(by: user), displayName: accounts.name(of: account),
            usage: try await usage.last(of: user))
        var own = try await OwnData.read(user, in: store)
        let profile = own.files.removeValue(forKey: Self.profileName)
        let names = Dictionary(devices.map { ($0.id, $0.name) }) { first, _ in first }
        let history = entries.compactMap { AuditEntry.decode($0) }.map { AuditRecord($0, names) }
        let log = AuditLogEnd(entries: account.audit.sequence, sha256: account.audit.hash)
        let files = [
            ExportFile(path: "index.html", bytes: ExportResources.index(of: user, service: publicURL, created: time)),
            .verifyScript,
            ExportFile(path: "keys.json", bytes: ByteBuffer(string: try await accounts.erasureKey.jsonWebKeySet())),
            try file(
                "account.json",
                ExportedAccount(
                    account: shown, identities: identities(of: account), mailLanguage: account.language,
                    sessionEpoch: account.sessionEpoch, auditLog: log)),
            ExportFile(path: Self.path(Self.profileName), bytes: profile ?? ByteBuffer(string: "{}\n")),
            try file("devices.json", devices.map(ExportedDevice.init)),
            try file(
                "subscriptions.json", ExportedSubscriptions(subscriptions: account.subscriptions, trial: account.trial)),
            try file("shared-links.json", try await sharedLinks.all(of: user).map { ExportedSharedLink($0.document) }),
            try file("history.json", history),
            ExportFile(path: Self.path("audit-log.jsonl"), bytes: lines(entries)),
        ]
        let others = own.files.sorted { $0.key < $1.key }.map {
            ExportFile(path: ExportPath.ownData($0.key), bytes: $0.value)
        }
        let picture = try await pictures.load(user).map { bytes in
            ExportFile(path: Self.path((try? ProfilePicture(bytes))?.fileName ?? "picture"), bytes: bytes)
        }
        return AccountExportFiles(files: files + [picture].compactMap(\.self) + others, leftOut: own.leftOut)
    }

    private static let profileName = "profile.json"

    private static func path(_ name: String) -> String { "\(ExportPath.account)/\(name)" }

    private func file(_ name: String, _ value: some Encodable) throws -> ExportFile {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return ExportFile(path: Self.path(name), bytes: ByteBuffer(bytes: try encoder.encode(value) + Data("\n".utf8)))
    }

    private func identities(of account: AccountDocument) -> [ExportedIdentity] {
        account.links.map { link in
            ExportedIdentity(
                id: link.id, provider: link.provider,
                subject: accounts.subject(of: link, user: account.serviceUserID), method: link.method,
                linkedAt: link.linkedAt, linkedByDevice: link.device,
                emailHint: link.emailHint)
        }
    }

    private func lines(_ entries: [Data]) -> ByteBuffer {
        var lines = ByteBuffer()
        for entry in entries {
            lines.writeBytes(entry)
            lines.writeInteger(UInt8(ascii: "\n"))
        }
        return lines
    }

    /// Returns the audit entries as they are stored and hashed, in order.
    private func auditEntries(of account: AccountDocument) async throws -> [Data] {
        let user = account.serviceUserID
        let unwritten = Dictionary(account.audit.entries.map { ($0.sequence, $0) }) { first, _ in first }
        var entries: [Data] = []
        var next = 1
        while next <= account.audit.sequence {
            let part = next..<min(next + Self.parallelReads, account.audit.sequence + 1)
            let found = try await withThrowingTaskGroup(of: (Int, Data).self) { group in
                for sequence in part {
                    group.addTask { [accounts] in
                        let key = ObjectKey(known: StorageLayout.auditEntry(user, sequence: sequence))
                        if let stored = try await accounts.audit.read(key) {
                            return (sequence, Data(stored.readableBytesView))
                        }
                        guard let entry = unwritten[sequence] else {
                            throw ServiceError.internal("audit entry \(sequence) is missing")
                        }
                        return (sequence, try entry.encoded())
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            entries += part.compactMap { found[$0] }
            next = part.upperBound
        }
        return entries
    }
}

/// The account's files of an export.
struct AccountExportFiles: Sendable {
    let files: [ExportFile]
    /// The keys of the person's own data that is too much for an export, with sizes in bytes.
    let leftOut: [(key: String, size: Int64)]
}

/// The objects below the prefix of the person's own data. The person, or an app, may have stored anything there.
private struct OwnData {
    /// By the key without the prefix.
    var files: [String: ByteBuffer] = [:]
    var leftOut: [(key: String, size: Int64)] = []

    /// The most bytes and objects that are read, and the most others that are listed.
    private static let limit = (
        bytes: Favorites.sizeLimit + HiddenPhotos.sizeLimit + Albums.sizeLimit + 8 << 20, objects: 10_000,
        leftOut: 100_000
    )

    /// Returns whether an object has the name of a folder in this one. The listing is in order, so that it came before.
    private func isBelowFile(_ name: String) -> Bool {
        var parts = name.split(separator: "/")
        while parts.popLast() != nil, !parts.isEmpty {
            if files[parts.joined(separator: "/")] != nil { return true }
        }
        return false
    }

    static func read(_ user: UserID, in store: some ObjectStore) async throws -> OwnData {
        var (own, bytes, after) = (OwnData(), 0, String?.none)
        let prefix = StorageLayout.userData(user)
        while true {
            let page = try await store.list(prefix: prefix, after: after, limit: 1000)
            for object in page.objects {
                let name = String(object.key.description.dropFirst(prefix.count))
                let fits =
                    object.size <= Int64(limit.bytes - bytes) && own.files.count < limit.objects
                    && ExportFile.isPlain(name) && !own.isBelowFile(name)
                guard fits, let content = try await store.get(object.key, limit: limit.bytes)?.bytes else {
                    own.leftOut.append((object.key.description, object.size))
                    continue
                }
                own.files[name] = content
                bytes += content.readableBytes
            }
            guard own.leftOut.count <= limit.leftOut else { throw ExportError.tooManyDifferences }
            guard page.isTruncated, let last = page.objects.last else { return own }
            after = last.key.description
        }
    }
}

/// `account/account.json`.
private struct ExportedAccount: Encodable {
    let account: User
    let identities: [ExportedIdentity]
    let mailLanguage: String?
    let sessionEpoch: Int
    let auditLog: AuditLogEnd
}

/// The end of the audit log, which `verify-export` compares with its lines.
private struct AuditLogEnd: Encodable {
    let entries: Int
    let sha256: String
}

/// An identity with the provider's id of the person, which the API does not show.
private struct ExportedIdentity: Encodable {
    let id: LinkID
    let provider: ProviderName
    let subject: String?
    let method: LinkMethod
    let linkedAt: Date
    let linkedByDevice: DeviceID?
    /// The keyed hash of the e-mail address.
    let emailHint: String?
}

/// An element of `account/devices.json`.
private struct ExportedDevice: Encodable {
    struct Session: Encodable {
        let startedAt: Date
        let expiresAt: Date
        let app: String?
    }

    let id: DeviceID
    let name: String
    let model: String?
    let platform: String
    let createdAt: Date
    let lastSeenAt: Date
    let lastSyncAt: Date?
    let country: CountryCode?
    let session: Session?

    init(_ device: ListedDevice) {
        id = device.id
        name = device.name
        model = device.model
        platform = device.platform
        createdAt = device.createdAt
        lastSeenAt = device.lastSeenAt
        lastSyncAt = device.lastSyncAt
        country = device.country
        session = device.session.map {
            Session(startedAt: $0.startedAt, expiresAt: $0.expiresAt, app: $0.client)
        }
    }
}

/// `account/subscriptions.json`.
private struct ExportedSubscriptions: Encodable {
    let subscriptions: [AccountSubscription]?
    let trial: AccountTrial?
}

/// An element of `account/shared-links.json`. It lacks the link's address and password, which would open the link.
private struct ExportedSharedLink: Encodable {
    let title: String
    let album: String?
    /// The MD5s of the photos, for a link that shows no album.
    let photos: [String]?
    let createdAt: Date
    let expiresAt: Date?
    let hasPassword: Bool
    let allowsDownloads: Bool
    let includesLocation: Bool
    let views: Int
    let disabledAt: Date?

    init(_ link: SharedLinkDocument) {
        (title, createdAt, expiresAt) = (link.options.title, link.createdAt, link.options.expiresAt)
        (album, photos) =
            switch link.content {
            case .album(let id): (id, nil)
            case .photos(let photos): (nil, photos)
            }
        hasPassword = link.options.password != nil
        (allowsDownloads, includesLocation) = (link.options.allowsDownloads, link.options.includesLocation)
        (views, disabledAt) = (link.views, link.disabled?.since)
    }
}
