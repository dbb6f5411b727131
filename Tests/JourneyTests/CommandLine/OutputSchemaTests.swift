import Foundation
import PhotolalaTesting
import Testing

@Suite(.serialized, .enabled(if: PythonClient.program != nil, "run scripts/install-clients"))
struct OutputSchemaTests {
    /// Their lines are checked where the commands succeed.
    private static let others: Set = ["sync-watch", "serve-webdav", "thumbnail", "import-immich"]

    @Test("every command with --json prints one line that its definition describes completely")
    func lines() async throws {
        let tree = try await CommandTree.of("photolala")
        try await withTemporaryFolder { folder, transport in
            let conversation = try await Conversation(in: folder, transport: transport, variables: [:])
            defer { conversation.stopServer() }
            try await GoldenTopic.playJSON(conversation)
            try await play(conversation)
            let printed = conversation.json.map { (line: $0.line, words: $0.line.split(separator: " "), $0.output) }
            for (line, _, output) in printed {
                #expect(output.hasSuffix("}\n") && output.count { $0 == "\n" } == 1, "\(line): \(output)")
            }
            let pairs = printed.map { _, words, output in
                (definition: tree.definition(of: words.map(String.init)), line: output)
            }
            let failed = pairs.filter { $0.line.hasPrefix(#"{"error""#) }
            let succeeded = pairs.filter { !$0.line.hasPrefix(#"{"error""#) }
            try await OutputSchema.expectValid(
                succeeded + failed.map { (definition: "error", line: $0.line) }, in: folder)
            #expect(!failed.isEmpty)
            #expect(Set(succeeded.map(\.definition)).union(Self.others) == Set(tree.definitions + ["sync-watch"]))
        }
    }

    @Test("every command with --json has a definition")
    func definitions() async throws {
        let names = try await CommandTree.of("photolala").definitions
        #expect(names.count > 30)
        #expect(try Set(names + ["error"]).subtracting(OutputSchema.definitions()) == [])
    }

    /// The commands that the JSON conversation does not run.
    private func play(_ conversation: Conversation) async throws {
        let (phone, tablet) = (try conversation.device("phone"), try conversation.device("tablet"))
        for number in 1...3 { try tablet.addPhoto("Photos/IMG_\(number).jpg", day: number + 10) }
        try tablet.addText("Photos/notes.txt")
        try tablet.addTakeout("takeout.zip")
        try tablet.addICloudPart("iCloud-Photos-Part-1-of-2.zip")
        try tablet.addEnteExport("Ente")
        let device = try #require(
            (try await phone.json("photolala whoami --json")["device"] as? [String: Any])?["id"] as? String)
        let commands = [
            "signin --provider apple --dev-user bob --device-name Tablet", "sync Photos --dry-run", "sync Photos",
            "backup Photos --dry-run", "find IMG_2.jpg", "open IMG_2.jpg --print", "export --to bob.zip",
            "import bob.zip", "import takeout takeout.zip --dry-run", "import takeout takeout.zip",
            "import icloud iCloud-Photos-Part-1-of-2.zip",
            "import ente-export Ente", "previews",
            "local scan Photos", "local list", "trash put IMG_3.jpg --yes", "trash list", "versions IMG_3.jpg",
            "preferences unset theme", "album create Trip", "album add Trip IMG_2.jpg", "album remove Trip IMG_2.jpg",
            "album cover Trip --newest", "album rename Trip Journey", "album list", "album delete Journey --yes",
            "favorite add IMG_2.jpg",
            "favorite list", "favorite remove IMG_2.jpg", "share create IMG_2.jpg", "hidden add IMG_2.jpg",
            "hidden list", "hidden remove IMG_2.jpg",
            "local forget Photos", "aws-profile", "doctor", "service install Photos --print", "service install Photos",
            "service status", "service uninstall Photos",
            "delete-account --show", "devices remove \(device)",
        ]
        for command in commands { try await tablet("photolala \(command) --json") }
        let made = try await tablet.json("photolala share create IMG_2.jpg --json")["links"] as? [[String: Any]]
        let link = try #require(made?.first?["id"] as? String)
        for command in ["share list", "share revoke \(link) --yes"] { try await tablet("photolala \(command) --json") }
    }
}
