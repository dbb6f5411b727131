import Foundation
import PhotolalaTesting
import Testing

/// The example of the tutorial, run as a developer runs it first.
@Suite struct ExampleJourneyTests {
    @Test("the example signs up, backs up a folder and shows the newest photos; a second run reuses the session")
    func example() async throws {
        try await withTemporaryFolder { folder, transport in
            let (data, photos) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("photos"))
            for place in [data, photos] {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            }
            try PhotoFolder.make(5, in: photos)
            let server = try await ServerProcess(data: data, transport: transport)
            let home = folder.appendingPathComponent("home")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let first = try await Self.run(server.address, photos, home: home)
            #expect(first.contains("Created account ") && first.contains("5 of 5"), "\(first)")
            #expect(first.contains("2023/Summer/IMG_4.jpg 2020-09-13T12:26:44Z"), "\(first)")
            let again = try await Self.run(server.address, photos, home: home)
            #expect(
                !again.contains("Created account") && !again.contains("Signed in") && again.contains("5 of 5"),
                "\(again)")
            #expect(server.stop() == 0)
        }
    }

    private static func run(_ server: String, _ photos: URL, home: URL) async throws -> String {
        let run = try await RunningCommand([server, "bob", photos.path], home: home, name: "keep-photos").finish()
        #expect(run.status == 0, "\(run.errors)")
        return String(decoding: run.output, as: UTF8.self)
    }
}
