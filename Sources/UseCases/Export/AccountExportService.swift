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
    /// - Throws: `catalogUnusable`; `rateLimited` and `unavailable` if there are too many exports, or if another one was
    ///   created at the same time.
    package func create(_ caller: Caller) async throws(ServiceError) -> AccountExport {
        try sensitiveActions.requireRecentAuthentication(caller, for: .exportAccount)
        let (catalog, isDamaged) = try await catalog(of: caller)
        let permit = try limits.permit(for: caller.user, cost: ExportDownload.cost(of: catalog))
        defer { withExtendedLifetime(permit) {} }
        return try await mapServiceErrors {
            let user = caller.user
            let own = try await userStore(caller)
            var differences = try await StoreDifferences(of: catalog, in: own, user: user, leavesOutArchived: true)
            let time = now()
            let description = ExportDescription(
                account: user, created: time, assembledBy: .server, isCatalogDamaged: isDamaged,
                signatureSize: try await signer.signatureSize(of: user, assembledBy: .server))
            let files = try await files.files(of: caller.account.value, at: time, in: own)
            for object in files.leftOut { differences.add(leftOut: object.key, size: object.size) }
            let stored = differences
            // Takes computing time, which is limited for each account.
            let plan = try await library.readLibrary(caller) { _ in
                try ExportPlan(description, files: files.files, catalog: catalog, stored: stored)
            }
            let export = PreparedExport(
                id: ExportID(uuid: randomness.uuid()), device: caller.device.value.id, createdAt: description.created,
                expiresAt: description.created.addingTimeInterval(Self.validity), size: plan.size,
                headSize: plan.headSize, photos: plan.items.count, missingPhotos: plan.items.missingCount,
                archivedPhotos: plan.items.archivedCount, isCatalogDamaged: isDamaged)
            // A download must be possible before the export replaces an earlier one.
            try limits.checkCost(ExportDownload.cost(of: export))
            try await accounts.recordExport(export, of: caller.account, by: auditLog.actingSession(caller))
            try await write(plan.head, of: export, user)
            return AccountExport(export)
        }
    }

    /// Writes the head of a recorded export, and removes earlier exports.
    /// - Throws: `unavailable` if another export has replaced this one, whose head is then removed.
    private func write(_ head: ByteBuffer, of export: PreparedExport, _ user: UserID) async throws {
        try await StoredExport(store: store, user: user, id: export.id).writeHead(head)
        let prefix = StorageLayout.export(user, export.id)
        let isCurrent = try await accounts.account(user)?.value.export?.id == export.id
        try await StoredExport.remove(of: user, in: store) { $0.key.description.hasPrefix(prefix) != isCurrent }
        guard isCurrent else { throw ServiceError.unavailable("another export was created at the same time") }
    }

    /// Returns the caller's export, unless it has expired or another device requested it. No read.
    package func current(_ caller: Caller) -> CurrentExport {
        CurrentExport(export: downloadable(caller).map(AccountExport.init))
    }

    private func downloadable(_ caller: Caller) -> PreparedExport? {
        guard let export = caller.account.value.export, export.expiresAt > now(),
            export.device == caller.device.value.id
        else { return nil }
        return export
    }

    /// Returns an export of the caller for downloading. One request.
    /// - Throws: `notFound` if there is no such export, if it has expired or been replaced, or if another device requested
    ///   it; `rateLimited` and `unavailable` if there are too many downloads.
    package func open(_ id: ExportID, caller: Caller) async throws(ServiceError) -> ExportDownload {
        guard let export = downloadable(caller), export.id == id else { throw .notFound }
        let stored = StoredExport(store: store, user: caller.user, id: id)
        // Not stored if the request that created the export was interrupted.
        guard try await mapServiceErrors({ try await stored.headSize() }) == export.headSize else { throw .notFound }
        let permit = try limits.permit(for: caller.user, cost: ExportDownload.cost(of: export))
        let access = ExportAccess(to: export, caller: caller, authenticator: authenticator, now: now)
        let contents = ExportContents(user: caller.user, fillsArchived: true) {
            try await userStore(try await access.caller())
        }
        let digests = StoredExportDigests(export: stored, signer: signer, access: access)
        return ExportDownload(
            export: export, stored: stored, library: library, contents: contents, digests: digests, access: access,
            permit: permit)
    }

    /// Returns the account's files for an export that the caller's device assembles. Requires recent authentication.
    /// - Throws: `rateLimited` and `unavailable` if there are too many exports.
    package func files(_ caller: Caller) async throws(ServiceError) -> ExportFiles {
        try sensitiveActions.requireRecentAuthentication(caller, for: .exportAccount)
        let permit = try limits.permit(for: caller.user, cost: ExportDownload.filesCost)
        defer { withExtendedLifetime(permit) {} }
        return try await mapServiceErrors {
            let time = now()
            let size = try await signer.signatureSize(of: caller.user, assembledBy: .device)
            let own = try await userStore(caller)
            let files = try await files.files(of: caller.account.value, at: time, in: own)
            try await accounts.recordExport(nil, of: caller.account, by: auditLog.actingSession(caller))
            return ExportFiles(
                files: files.files.map {
                    ExportFiles.File(path: $0.path, content: Data($0.bytes.readableBytesView))
                },
                leftOut: files.leftOut.map { ExportFiles.LeftOut(key: $0.key, size: $0.size) },
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
        // What is newer belongs to an export that is being created now.
        try await StoredExport.remove(of: user, in: store) {
            $0.key.description.hasPrefix(prefix) || $0.lastModified < export.expiresAt
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
}

extension AccountExport {
    init(_ export: PreparedExport) {
        self.init(
            id: export.id, createdAt: export.createdAt, expiresAt: export.expiresAt, size: export.size,
            photos: export.photos, missingPhotos: export.missingPhotos, archivedPhotos: export.archivedPhotos,
            isCatalogDamaged: export.isCatalogDamaged)
    }
}
