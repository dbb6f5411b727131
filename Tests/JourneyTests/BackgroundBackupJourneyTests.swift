import Foundation
import PhotoSync
import PhotolalaTesting
import Testing

@testable import PhotolalaClient

/// Backups in the background against a real server, over HTTP.
@Suite struct BackgroundBackupJourneyTests {
    @Test func `uploads that a killed app handed over continue in the next one, and all photos are in the library`()
        async throws
    {
        try await withTemporaryFolder { folder, transport in
            let server = try await ServerProcess(
                data: folder.appendingPathComponent("data"), transport: transport,
                variables: ["PHOTOLALA_UPLOADS_ADDRESS_MINUTES": "10080", "PHOTOLALA_UPLOADS_RESERVED": "true"])
            let phone = CommandLineDevice(profile: folder.appendingPathComponent("phone"), server: server.address)
            #expect(try await phone.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            #expect(try await phone.run("preferences", "set", "autoBackup", "true").status == 0)
            let photos = folder.appendingPathComponent("photos")
            try PhotoFolder.make(6, in: photos)
            let network = PhotolalaNetwork()
            let outcome: Result<Void, any Error>
            do {
                try await backUp(photos, phone, network)
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            await network.close()
            try outcome.get()
            let restored = folder.appendingPathComponent("restored")
            #expect(try await phone.run("restore", "--to", restored.path).status == 0)
            #expect(try PhotoFolder.manifest(restored) == PhotoFolder.manifest(photos))
            #expect(server.stop() == 0)
        }
    }

    private func backUp(_ photos: URL, _ phone: CommandLineDevice, _ network: PhotolalaNetwork) async throws {
        let profile = try ProfileDirectory(phone.profile)
        func open() throws -> (backup: BackgroundBackup, transfer: InProcessTransfer) {
            let session = PhotolalaSession(
                server: try ServerAddress(phone.server), profile: profile, storage: try profile.fileSecretStorage(),
                network: network)
            let inbox = BackgroundInbox()
            let transfer = InProcessTransfer(transport: network.transport, inbox: inbox)
            let backup = BackgroundBackup(
                library: PhotolalaLibrary(session: session, profile: profile, network: network),
                preferences: PhotolalaPreferences(session: session, profile: profile), transfer: transfer,
                inbox: inbox, qualities: [BackgroundBackup.originalQuality])
            return (backup, transfer)
        }
        do {
            let killed = try open()
            let report = try await killed.backup.run(FolderSource(photos))
            #expect(report.uploadingPhotos > 0 && report.stopped == nil)
            let tasks = await killed.transfer.running()
            await killed.transfer.cancel(Set(tasks.map(\.id)))
        }
        let next = try open()
        _ = try await next.backup.resume()
        await next.transfer.finish()
        let report = try await next.backup.resume()
        #expect(report.waitingPhotos == 0 && report.uploadingPhotos == 0 && report.uploadedPhotos == 0)
    }
}
