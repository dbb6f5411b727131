import Foundation
import PhotolalaTesting
import Testing

/// `photolala aws-profile` with the real AWS CLI.
@Suite struct AWSProfileJourneyTests {
    private static let aws = InstalledClients.folder(with: "bin/aws")?.appending(path: "bin/aws")

    @Test(
        "the AWS CLI lists, reads and presigns photos with the written profile",
        .enabled(if: aws != nil, "run scripts/install-clients"))
    func awsProfile() async throws {
        let aws = try #require(Self.aws)
        try await ExportJourney.run(photos: 2) { journey in
            // The profile folder's name tests the quoting.
            let home = journey.folder.appendingPathComponent("Bob's #1 $HOME \"x\"")
            try FileManager.default.moveItem(at: journey.folder.appendingPathComponent("laptop"), to: home)
            let device = CommandLineDevice(profile: home, server: journey.server.address)
            let run = try await device.run("aws-profile", "bob@photos", "--json")
            #expect(run.status == 0, "\(run.errors)")
            let result = try run.json()
            let photos = try #require(result["photos"] as? String)
            #expect(result["file"] as? String == home.resolvingSymlinksInPath().path + "/.aws/config")
            func call(_ arguments: String...) async throws -> (status: Int32, output: String) {
                try await ChildProcess.run(
                    aws, ["--profile", "bob@photos"] + arguments,
                    environment: ["HOME": home.path, "PATH": "/usr/bin:/bin"], folder: home)
            }
            let list = try await call("s3", "ls", photos)
            #expect(list.status == 0 && list.output.split(separator: "\n").count == 2, "\(list.output)")
            let down = try await call("s3", "sync", photos, "down")
            #expect(down.status == 0, "\(down.output)")
            let files = try FileManager.default.contentsOfDirectory(atPath: home.path + "/down")
            let first = try #require(files.first)
            let presigned = try await call("s3", "presign", photos + first)
            let url = try #require(URL(string: presigned.output.trimmingCharacters(in: .newlines)))
            #expect(try Data(contentsOf: url) == Data(contentsOf: home.appendingPathComponent("down/\(first)")))
        }
    }
}
