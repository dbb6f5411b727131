import ForeignExports
import Foundation
import ImmichAPI
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import Transport

@testable import PhotoCatalog
@testable import PhotoSync

/// A device that imports from an Immich server.
struct ImmichDevice {
    let folder: TemporaryFolder
    let store = FakeObjectStore()
    let immich: FakeImmich
    var failuresInARow = 100

    init(_ assets: [FakeImmich.Asset], albums: [FakeImmich.Album] = []) throws {
        folder = try TemporaryFolder()
        immich = FakeImmich(assets, albums: albums)
    }

    func run(
        isDryRun: Bool = false, state: String = "state", report: @escaping @Sendable (BackupEvent) -> Void = { _ in }
    ) async throws -> ImmichImportSummary {
        var settings = BackupSettings()
        settings.failuresInARow = failuresInARow
        settings.limitParallelFiles(1)
        let backup = Backup(
            store: store, user: .bob, stateFolder: folder.subpath(state), settings: settings, pause: .none,
            now: { Date(timeIntervalSince1970: 2_000_000_000) })
        let options = ImmichPlan.Options(destination: LibraryPath(known: "I"))
        let server = ImmichServer(
            address: FakeImmich.address, key: FakeImmich.key, transport: immich, pause: .none)
        return try await ImmichImporter(backup, options: options).run(from: server, isDryRun: isDryRun, report: report)
    }

    var catalogs: CatalogStore { CatalogStore(store: store, user: .bob, pause: .none) }

    func entries() async throws -> [String: CatalogEntry] {
        let catalog = try await catalogs.load().catalog
        return Dictionary(uniqueKeysWithValues: catalog.entries.map { ($0.path.description, $0) })
    }

    /// The number of downloaded files.
    var downloads: Int { immich.state.withLock { $0.requests.count { $0.url.hasSuffix("/original") } } }
}
