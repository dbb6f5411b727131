import ForeignExports
import Foundation
import PhotolalaTesting
import Testing
import Transport

@testable import PhotoCatalog
@testable import PhotoSync

@Suite struct ImmichStopTests {
    private typealias Answer = Result<TransportResponse, TransportError>

    private static func status(_ status: Int) -> Answer {
        .success(.text("{}", status: status, type: "application/json"))
    }

    /// Returns a device, and a server that answers requests for the originals of some photos so.
    private static func device(_ answer: Answer, of failing: Range<Int>, photos: Int = 30) throws -> ImmichDevice {
        let numbers = 10..<10 + photos
        var device = try ImmichDevice(numbers.map { FakeImmich.Asset($0, "\($0).jpg") })
        device.failuresInARow = 8
        device.immich.state.withLock { state in
            for number in failing {
                state.next["/assets/\(FakeImmich.id(number))/original"] = Array(repeating: answer, count: 20)
            }
        }
        return device
    }

    @Test(
        "a server that fails for each file stops the import after eight files, and a later run imports all",
        arguments: [
            (503, ImmichError.serverFailed(status: 503), 4 + 7 + 3), (429, .busy, 4 + 7),
            (403, .permissionMissing("asset.download"), 1 + 7 + 3), (401, .keyRefused, 1 + 7),
        ])
    func stop(_ status: Int, _ error: ImmichError, _ requests: Int) async throws {
        let device = try Self.device(Self.status(status), of: 10..<40)
        let summary = try await device.run().backup
        #expect(summary.ending == .stopped(.source(.server(error))))
        #expect(summary.failures.count == 8)
        #expect(summary.failures.allSatisfy { $0.failure == .source(.server(error)) })
        #expect(device.downloads == requests, "only the first file is requested again, then three others")
        device.immich.state.withLock { $0.next = [:] }
        #expect(try await device.run().backup.isComplete)
        #expect(try await device.entries().count == 30)
    }

    @Test("a server that does not answer is asked once for each file after the first one")
    func silence() async throws {
        let device = try Self.device(.failure(.noResponse(after: .seconds(60))), of: 10..<40)
        let summary = try await device.run().backup
        #expect(summary.ending == .stopped(.source(.server(.noAnswer))))
        #expect(device.downloads == 4 + 7)
    }

    @Test("files of one folder that cannot be read do not stop the import of others")
    func deadFolder() async throws {
        let device = try Self.device(Self.status(500), of: 10..<30)
        let summary = try await device.run().backup
        #expect(summary.ending == .completed && summary.failures.count == 20)
        #expect(try await device.entries().count == 10)
    }

    @Test("a dry run that must read files ends with the server's error")
    func dryRun() async throws {
        let device = try Self.device(Self.status(503), of: 10..<40)
        await #expect(throws: BackupError.source(.server(.serverFailed(status: 503)))) {
            try await device.run(isDryRun: true)
        }
    }

    @Test("a second import of the account at the same time ends with an error, and changes nothing")
    func twoImports() async throws {
        let device = try ImmichDevice((10..<13).map { FakeImmich.Asset($0, "\($0).jpg") })
        _ = try await device.run()
        let files = try FileManager.default.contentsOfDirectory(atPath: device.folder.subpath("state"))
        let name = try #require(files.first { $0.hasSuffix(".places.lock") })
        device.immich.state.withLock { $0.assets.append(FakeImmich.Asset(13, "13.jpg")) }
        do {
            let other = try StateFile.lock(device.folder.subpath("state/\(name)"))
            defer { withExtendedLifetime(other) {} }
            await #expect(throws: ImmichImportError.underWay) { try await device.run() }
            #expect(try await device.run(isDryRun: true).backup.progress.uploadedFiles == 1)
        }
        #expect(try await device.run().backup.isComplete)
        #expect(try await device.entries().count == 4)
    }
}
