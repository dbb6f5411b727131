import Accounts
import Foundation
import LibraryExport
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Secrets
import StorageAccess

/// Exports accounts: a ZIP archive with the photos and everything else that is stored about a person.
///
/// An export works over quota, without a subscription, and while a deletion is scheduled.
package struct AccountExportService: Sendable {
    let accounts: AccountDirectory
    let store: any ObjectStore
    let library: LibraryService
    let authenticator: CallerAuthenticator
    let sensitiveActions: SensitiveActionPolicy
    let auditLog: DeviceAuditLog
    let files: AccountFiles
    let signer: ExportSigner
    let limits: ExportLimits
    let randomness: Randomness
    let now: @Sendable () -> Date

    /// How long an export can be downloaded, in seconds.
    package static let validity: TimeInterval = 7 * 86_400

    /// Creates an export of the caller's account, which replaces an earlier one. Requires recent authentication. Costs
    /// one listing of each 1,000 photos, a read of each audit entry, and no read of a photo.
    /// If the catalog is damaged, the export has all stored photos without their paths.
    /// - Throws: `catalogUnusable`.
    package func create(_ caller: Caller) async throws(ServiceError) -> AccountExport {
        try sensitiveActions.requireRecentAuthentication(caller, for: .exportAccount)
        let (catalog, isDamaged) = try await catalog(of: caller)
        return try await mapServiceErrors {
            let user = caller.user
            let stored = try await StoreDifferences(of: catalog, in: userStore(caller), user: user)
            let time = now()
            let description = ExportDescription(
                account: user, created: time, assembledBy: .server, isCatalogDamaged: isDamaged,
                signatureSize: try await signer.signatureSize(of: user, assembledBy: .server))
            let plan = try ExportPlan(
                description, files: try await files.files(of: caller.account.value, at: time), catalog: catalog,
                stored: stored)
            let export = PreparedExport(
                id: randomness.uuid(), createdAt: description.created,
                expiresAt: description.created.addingTimeInterval(Self.validity), size: plan.size,
                photos: plan.items.count, missingPhotos: plan.items.missingCount, isCatalogDamaged: isDamaged)
            try await accounts.recordExport(export, of: caller.account, by: auditLog.actingSession(caller))
            try await StoredExport(store: store, user: user, id: export.id).writeHead(plan.head)
            let prefix = StorageLayout.export(user, export.id)
            try await StoredExport.remove(of: user, in: store) { !$0.key.description.hasPrefix(prefix) }
            return AccountExport(export)
        }
    }

    /// Returns the caller's export, unless it has expired. No read.
    package func current(_ caller: Caller) -> CurrentExport {
        let export = caller.account.value.export
        return CurrentExport(export: export.flatMap { $0.expiresAt > now() ? AccountExport($0) : nil })
    }

    /// Opens an export of the caller for downloading. Reads its head.
    /// - Throws: `notFound` if there is no such export, or if it has expired or been replaced; `rateLimited` and
    ///   `overloaded` if there are too many downloads.
    package func open(_ id: UUID, caller: Caller) async throws(ServiceError) -> ExportDownload {
        guard let export = caller.account.value.export, export.id == id, export.expiresAt > now() else {
            throw .notFound
        }
        let stored = StoredExport(store: store, user: caller.user, id: id)
        return try await mapServiceErrors {
            // Not stored if the request that created the export was interrupted.
            guard let headSize = try await stored.headSize() else { throw ServiceError.notFound }
            let permit = try limits.permit(
                for: caller.user, cost: ExportDownload.cost(headSize: headSize, photos: export.photos))
            guard let head = try await stored.head() else { throw ServiceError.notFound }
            let reader = ExportReader(
                try await ExportPlan(head: head), contents: contents(caller),
                digests: StoredExportDigests(export: stored, signer: signer))
            return ExportDownload(export: export, reader: reader, permit: permit)
        }
    }

    /// Returns the account's files for an export that the caller's device assembles. Requires recent authentication.
    package func files(_ caller: Caller) async throws(ServiceError) -> ExportFiles {
        try sensitiveActions.requireRecentAuthentication(caller, for: .exportAccount)
        return try await mapServiceErrors {
            let time = now()
            let size = try await signer.signatureSize(of: caller.user, assembledBy: .device)
            let files = try await files.files(of: caller.account.value, at: time)
            try await accounts.recordExport(nil, of: caller.account, by: auditLog.actingSession(caller))
            return ExportFiles(
                files: files.map { ExportFiles.File(path: $0.path, text: String(buffer: $0.bytes)) },
                createdAt: time, signatureSize: size)
        }
    }

    /// Signs the manifest of an export that the caller's device assembled. The signature states that the service has not
    /// read the photos.
    package func sign(
        _ request: ExportSignatureRequest, caller: Caller
    ) async throws(ServiceError) -> ExportSignature {
        guard Hex.decode(request.manifestSHA256)?.count == 32 else {
            throw .invalidRequest("manifestSHA256 must be 64 lower-case hex digits.")
        }
        return try await mapServiceErrors {
            ExportSignature(
                signature: try await signer.sign(request.manifestSHA256, of: caller.user, assembledBy: .device))
        }
    }

    /// Removes what is stored of an account's export once it has expired. Costs nothing for an account without one.
    func removeExpired(of account: Stored<AccountDocument>) async throws {
        guard let export = account.value.export, export.expiresAt <= now() else { return }
        let user = account.value.serviceUserID
        let prefix = StorageLayout.export(user, export.id)
        let limit = now().addingTimeInterval(-Self.validity)
        try await StoredExport.remove(of: user, in: store) {
            $0.key.description.hasPrefix(prefix) || $0.lastModified < limit
        }
        try await accounts.removeExport(export.id, of: account)
    }

    private func catalog(of caller: Caller) async throws(ServiceError) -> (catalog: Catalog, isDamaged: Bool) {
        do {
            return (try await library.newestCatalog(caller), false)
        } catch {
            guard case .catalogDamaged = error else { throw error }
            return (Catalog(), true)
        }
    }

    private func userStore(_ caller: Caller) async throws(ServiceError) -> any ObjectStore {
        library.libraries.stores.store(
            of: caller.user, try await library.storageAccess.cachedCredentials(caller, access: .read))
    }

    /// Returns the photos of the caller. A download can take days: the session is checked again from time to time.
    private func contents(_ caller: Caller) -> ExportContents {
        let access = ExportAccess(caller: caller, authenticator: authenticator, now: now)
        return ExportContents(user: caller.user) { try await userStore(try await access.currentCaller()) }
    }
}

/// A session that reads an export.
private actor ExportAccess {
    private var caller: Caller
    private var checkedAt: Date
    private let authenticator: CallerAuthenticator
    private let now: @Sendable () -> Date

    /// How long a session that has ended can still read, in seconds.
    private static let interval: TimeInterval = 60

    init(caller: Caller, authenticator: CallerAuthenticator, now: @escaping @Sendable () -> Date) {
        (self.caller, self.authenticator, self.now) = (caller, authenticator, now)
        checkedAt = now()
    }

    /// Returns the caller, checked at most a minute ago.
    /// - Throws: `sessionEnded`.
    func currentCaller() async throws -> Caller {
        let time = now()
        guard time.timeIntervalSince(checkedAt) > Self.interval else { return caller }
        caller = try await authenticator.refreshed(caller)
        checkedAt = time
        return caller
    }
}

extension AccountExport {
    init(_ export: PreparedExport) {
        self.init(
            id: export.id, createdAt: export.createdAt, expiresAt: export.expiresAt, size: export.size,
            photos: export.photos, missingPhotos: export.missingPhotos, isCatalogDamaged: export.isCatalogDamaged)
    }
}
