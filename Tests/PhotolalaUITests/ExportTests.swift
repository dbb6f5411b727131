import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

@MainActor
@Suite struct ExportTests {
    private static let files = FakeServer.json(
        ExportFiles(files: [], leftOut: [], createdAt: ClientFixture.start, signatureSize: 6))
    private static let signature = FakeServer.json(ExportSignature(signature: "signed"))

    /// A screen that exports to a new file each time.
    @MainActor
    private final class Screen {
        var made = 0
        let folder: URL
        init(_ fixture: LibraryFixture) { folder = fixture.screen.client.folder }

        func model(_ fixture: LibraryFixture) async -> ExportModel {
            let model = ExportModel(fixture.screen.context, library: fixture.library) { [self] in
                made += 1
                return folder.appendingPathComponent("export-\(made).zip")
            }
            model.flow.load()
            await model.flow.wait()
            return model
        }
    }

    private static func create(_ model: ExportModel) async {
        model.flow.start(.create)
        await model.flow.wait()
    }

    private static func with(
        _ first: [FakeServer.Response] = [],
        _ test: @escaping @MainActor @Sendable (LibraryFixture, Screen, ExportModel) async throws -> Void
    ) async throws {
        let script = ["POST /account/export/files": first + [files], "POST /account/export/signature": [signature]]
        try await LibraryFixture.with(script) { fixture in
            _ = try await fixture.library.backUp(fixture.folders[0]).report
            let screen = Screen(fixture)
            try await test(fixture, screen, await screen.model(fixture))
        }
    }

    @Test("an export writes the archive, and the next one another file")
    func create() async throws {
        try await Self.with { _, screen, model in
            for number in 1...2 {
                model.flow.start(.create)
                model.flow.start(.create)
                #expect(model.flow.state == .working(.create))
                await model.flow.wait()
                #expect(model.flow.state == .ready && model.flow.failure == nil && model.report?.photos == 2)
                #expect(model.report?.bytes != nil && !model.isInterrupted && screen.made == number)
                let path = screen.folder.appendingPathComponent("export-\(number).zip").path
                #expect(FileManager.default.fileExists(atPath: path))
            }
        }
    }

    @Test("an export that requires recent authentication asks for it and continues with the same file")
    func verify() async throws {
        try await Self.with([FakeServer.problem(.reauthenticationRequired, 403)]) { _, screen, model in
            await Self.create(model)
            #expect(model.flow.state == .verifying(.create, with: [.apple]))
            model.flow.verify(with: .apple)
            await model.flow.wait()
            #expect(model.flow.state == .ready && model.report?.bytes != nil && screen.made == 1)
        }
    }

    @Test("an unreachable server keeps the file for the next attempt; an existing file is not replaced")
    func failures() async throws {
        try await Self.with([ScreenFixture.unreachable]) { _, screen, model in
            await Self.create(model)
            #expect(model.flow.state == .ready && model.flow.failure?.code == .serverUnreachable && model.isInterrupted)
            await Self.create(model)
            #expect(model.report?.bytes != nil && screen.made == 1)
            screen.made = 0
            await Self.create(model)
            #expect(model.flow.failure?.code == .fileUnusable && !model.isInterrupted)
            await Self.create(model)
            #expect(model.flow.failure == nil && model.report?.bytes != nil && screen.made == 2)
        }
    }

    @Test("a cancelled export can be continued")
    func cancel() async throws {
        try await Self.with { fixture, screen, model in
            let (arrived, end) = (Gate(), Gate())
            fixture.store.hold.withLock { $0 = (arrived, end) }
            model.flow.start(.create)
            await arrived.wait()
            model.flow.cancel()
            await model.flow.wait()
            #expect(model.flow.state == .ready && model.flow.failure == nil && model.isInterrupted)
            fixture.store.hold.withLock { $0 = nil }
            await Self.create(model)
            #expect(model.report?.bytes != nil && screen.made == 1)
        }
    }

    @Test("a device that was signed out shows the welcome screen")
    func signedOut() async throws {
        try await LibraryFixture.with(["POST /auth/signout": [FakeServer.nothing]]) { fixture in
            let model = await Screen(fixture).model(fixture)
            try await fixture.screen.session.signOut()
            await Self.create(model)
            #expect(model.flow.state == .signedOut)
            model.flow.load()
            await model.flow.wait()
            #expect(model.flow.state == .signedOut)
        }
    }
}
