import Foundation
import PhotolalaTesting
import Secrets
import Testing

/// The proof of absence, by the shipped command, before and after a completed deletion.
@Suite struct AbsenceJourneyTests {
    @Test("prove-absence names each place before a deletion and none afterwards, and trusts only this store's receipts")
    func proof() async throws {
        try await withTemporaryFolder { folder, transport in
            let journey = ErasureJourney(folder: folder)
            try FileManager.default.createDirectory(at: journey.data, withIntermediateDirectories: true)
            try FileManager.default.createDirectory(at: journey.photos, withIntermediateDirectories: true)
            try PhotoFolder.make(2, in: journey.photos)
            let server = try await ServerProcess(
                data: journey.data, transport: transport, variables: ErasureJourney.keys)
            let phone = CommandLineDevice(profile: folder.appendingPathComponent("phone"), server: server.address)
            #expect(try await phone.run("signup", "--provider", "apple", "--dev-user", "canary-bob").status == 0)
            #expect(try await phone.run("link", "--provider", "google", "--dev-user", "canary-bob").status == 0)
            #expect(try await phone.run("backup", journey.photos.path).status == 0)
            let export = journey.path("bob.zip")
            #expect(try await phone.run("export", "--to", export).status == 0)
            let shown = try #require(try await phone.run("whoami", "--json").json()["user"] as? [String: Any])
            let user = try #require(shown["serviceUserID"] as? String)
            #expect(try journey.command("snapshot", journey.path("old.snapshot")).status == 0)

            let before = try journey.command("prove-absence", user)
            let binding = "identities/apple/dev-canary-bob"
            #expect(before.status == 1, "\(before.output)")
            for place in [
                "account \(user): 2 links, 1 device, 2 binding keys",
                "found   key accounts/\(user)/account.json (account ID)",
                "found   key accounts/\(user)/devices/", ".json (account ID, device ID)",
                "found   key \(binding) (binding key, provider ID)",
                "found   content of \(binding) (account ID, link ID)",
                "found   key photos/\(user)/", "found   file \(journey.data.path)/photolala.sqlite",
            ] { #expect(before.output.contains(place), "\(place) in \(before.output)") }

            let deleted = try await phone.run("delete-account", "--confirm", "DELETE", "--json")
            let overview = try #require(try deleted.json()["overview"] as? [String: Any])
            let code = try #require(overview["receiptCode"] as? String)
            #expect(server.stop() == 0)
            try await journey.completeDeletions()
            let again = try await ServerProcess(
                data: journey.data, transport: transport, onPortsOf: server, variables: ErasureJourney.keys)
            let status = try await phone.run("delete-account", "--receipt", code, "--json").json()["status"]
            #expect(again.stop() == 0)
            let receipt = try #require((status as? [String: Any])?["receipt"] as? String)
            try Data("\(receipt)\n".utf8).write(to: URL(filePath: journey.path("receipt.jws")))

            try expectAbsence(of: user, export, deletedWith: receipt, in: journey)
        }
    }

    /// Checks the command after the deletion.
    private func expectAbsence(
        of user: String, _ export: String, deletedWith receipt: String, in journey: ErasureJourney
    ) throws {
        let file = journey.path("receipt.jws")
        let after = try journey.command("prove-absence", "--receipt", file, "--export", export)
        #expect(after.status == 0 && after.output.contains("nothing found"), "\(after.output)")
        #expect(after.output.contains("account \(user): 2 links, 1 device, 2 binding keys"), "\(after.output)")
        let unknown = try journey.command("prove-absence", user)
        #expect(unknown.status == 3 && unknown.output.contains("proves nothing about links"), "\(unknown.output)")
        let copy = try journey.command("prove-absence", "--export", export, "--file", journey.path("old.snapshot"))
        #expect(
            copy.status == 1 && copy.output.contains("file \(journey.path("old.snapshot")) (account ID, "),
            "\(copy.output)")

        let parts = receipt.split(separator: ".").map(String.init)
        let payload = try #require(Base64URL.decode(parts[1]))
        let text = String(decoding: payload, as: UTF8.self).replacing(user, with: UUID().uuidString.lowercased())
        let forged = "\(parts[0]).\(Base64URL.encode(Data(text.utf8))).\(parts[2])"
        let cut = "\(parts[0]).\(parts[1])"
        for other in [forged, cut, "\(receipt).", "receipt"] {
            try Data(other.utf8).write(to: URL(filePath: file))
            let refusal = try OperatorCommand.refusal(
                of: ["prove-absence", "--receipt", file], data: journey.data, variables: ErasureJourney.keys)
            #expect(refusal.contains("not a deletion receipt signed by this store's erasure key"), "\(refusal)")
        }
        let another = try OperatorCommand.refusal(
            of: ["prove-absence", UUID().uuidString, "--export", export], data: journey.data,
            variables: ErasureJourney.keys)
        #expect(another.contains("names account \(user)"), "\(another)")
        // The identifiers of another device, of the same length.
        let changed = journey.path("changed.zip")
        var bytes = try Data(contentsOf: URL(filePath: export))
        let name = try #require(bytes.range(of: Data("account/devices.json".utf8)))
        let member = try #require(bytes.range(of: Data(#""id""#.utf8), in: name.upperBound..<bytes.endIndex))
        let digit = try #require(bytes[member.upperBound...].firstIndex { Character(UnicodeScalar($0)).isHexDigit })
        bytes[digit] = bytes[digit] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
        try bytes.write(to: URL(filePath: changed))
        let refused = try OperatorCommand.refusal(
            of: ["prove-absence", "--export", changed], data: journey.data, variables: ErasureJourney.keys)
        #expect(refused.contains("is not an export that this store signed, or was changed"), "\(refused)")
        let none = try OperatorCommand.refusal(
            of: ["prove-absence", "--export", journey.path("old.snapshot")], data: journey.data,
            variables: ErasureJourney.keys)
        #expect(none.contains("is not an export of an account"), "\(none)")
    }
}
