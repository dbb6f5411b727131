import Foundation
import PhotolalaTesting
import Synchronization
import Testing
import Transport

/// Commands typed on several devices against one server, recorded as a transcript with all they print.
final class Conversation: Sendable {
    /// The parent of the devices' home folders.
    let folder: URL
    private let server: ServerProcess
    private let serverVariables: [String: String]
    private let transcript = Mutex("")
    private let printed = Mutex<[(line: String, output: String)]>([])
    /// Further texts that have placeholders.
    private let placeholders = Mutex<[(text: String, replacement: String)]>([])

    /// Starts the server.
    /// - Parameter variables: Additional settings of the server.
    init(in folder: URL, transport: any HTTPTransport, variables: [String: String]) async throws {
        self.folder = folder.resolvingSymlinksInPath()
        let data = self.folder.appendingPathComponent("server/data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        server = try await ServerProcess(data: data, transport: transport, variables: variables)
        let own = ["PHOTOLALA_ENVIRONMENT": "dev", "PHOTOLALA_DATA": data.path, "PHOTOLALA_LOG_LEVEL": "error"]
        serverVariables = own.merging(variables) { _, new in new }
    }

    func stopServer() { server.kill() }

    /// The transcript with placeholders.
    var text: String {
        let literals = [
            (server.address, "http://127.0.0.1:8080"), (server.storageAddress, "http://127.0.0.1:9000"),
            (folder.path, "/home"),
        ]
        return TranscriptNormalizer(literals: placeholders.withLock { $0 } + literals)
            .normalized(transcript.withLock { $0 })
    }

    /// The recorded command lines with `--json`, and what they printed.
    var json: [(line: String, output: String)] { printed.withLock { $0 } }

    /// Replaces a text in the transcript, such as the address of another server.
    func replace(_ text: String, with replacement: String) { placeholders.withLock { $0.append((text, replacement)) } }

    /// Waits until the server's next time, in whole seconds, is later than all recorded so far: the list of devices is
    /// ordered by it.
    func waitForNextSecond() async throws {
        let start = Int(Date().timeIntervalSince1970)
        try await waitUntil("the next second begins") { Int(Date().timeIntervalSince1970) != start }
    }

    /// Records a line that explains the next commands.
    func comment(_ text: String) { transcript.withLock { $0 += "# \(text)\n\n" } }

    /// Returns a device: a home folder in which commands are typed, with the profile in `~/.photolala`.
    func device(_ name: String) throws -> Device {
        let home = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        return Device(name: name, home: home, conversation: self)
    }

    /// A machine on which commands are typed.
    struct Device {
        let name: String
        let home: URL
        let conversation: Conversation

        /// Runs a command line and records it. Words are separated by single spaces; there is no quoting.
        func callAsFunction(_ line: String) async throws {
            let run = try await conversation.run(line, on: self)
            conversation.record(line, run, on: self)
        }

        /// Runs a command line without recording it, and returns the JSON that it prints.
        func json(_ line: String) async throws -> [String: Any] { try await conversation.run(line, on: self).json() }

        /// Runs a command line without recording it, and writes the last line that it prints to a file.
        func lastLine(_ line: String, to path: String) async throws {
            let run = try await conversation.run(line, on: self)
            let last = try #require(run.text.split(separator: "\n").last)
            try Data(last.utf8).write(to: home.appendingPathComponent(path))
        }
    }

    private func run(_ line: String, on device: Device) async throws -> CommandLineDevice.Run {
        let words = line.split(separator: " ").map(String.init)
        let (output, errors) = (temporaryFile(), temporaryFile())
        let process = try ChildProcess(
            executable(words[0]), Array(words.dropFirst()), environment: environment(of: words[0], on: device),
            folder: device.home, output: .file(output), errors: .file(errors))
        return CommandLineDevice.Run(
            status: await process.exit(), output: try Data(contentsOf: output),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }

    /// The command line runs without the thumbnail worker beside it, and no program is found on the path: thumbnails never
    /// depend on what the machine has installed.
    private func executable(_ name: String) throws -> URL {
        let alone = folder.appendingPathComponent("programs/\(name)")
        if !FileManager.default.fileExists(atPath: alone.path) {
            let product = try Products.executable(name)
            try FileManager.default.createDirectory(
                at: alone.deletingLastPathComponent(), withIntermediateDirectories: true)
            do {
                try FileManager.default.linkItem(at: product, to: alone)
            } catch {
                // Another file system.
                try FileManager.default.copyItem(at: product, to: alone)
            }
        }
        return alone
    }

    private func environment(of program: String, on device: Device) -> [String: String] {
        let own = program == "photolala-server" ? serverVariables : ["PHOTOLALA_SERVER": server.address]
        return own.merging(["HOME": device.home.path, "PATH": "/nonexistent", "TZ": "UTC"]) { _, new in new }
    }

    private func temporaryFile() -> URL { folder.appendingPathComponent("output-\(UUID().uuidString)") }

    private func record(_ line: String, _ run: CommandLineDevice.Run, on device: Device) {
        let errors = run.errors.split(separator: "\n", omittingEmptySubsequences: false)
        let marked = errors.dropLast(run.errors.hasSuffix("\n") || run.errors.isEmpty ? 1 : 0).map { "2> \($0)\n" }
        var output = run.text.isEmpty || run.text.hasSuffix("\n") ? run.text : run.text + "\n"
        if line.contains("--json") {
            printed.withLock { $0.append((line, run.text)) }
            output = Self.indented(run.output) ?? output
        }
        transcript.withLock { text in
            text += "\(device.name)$ \(line)\n\(output)\(marked.joined())[exit \(run.status)]\n\n"
        }
    }
}

extension Conversation {
    /// Returns an object with a member on each line; `nil` if the output is none.
    private static func indented(_ output: Data) -> String? {
        guard let object = try? JSONSerialization.jsonObject(with: output),
            let text = try? JSONSerialization.data(
                withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        else { return nil }
        return String(decoding: text, as: UTF8.self) + "\n"
    }
}

extension Conversation.Device {
    /// Creates a photo that begins like a JPEG, last modified on a day of July 2023.
    func addPhoto(_ path: String, day: Int, size: Int = 1000) throws {
        let file = home.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let bytes = [0xff, 0xd8, 0xff, 0xe0, 0, 16] + [UInt8](repeating: UInt8(day), count: size - 6)
        try Data(bytes).write(to: file)
        let date = Date(timeIntervalSince1970: 1_688_169_600 + Double(day - 1) * 86_400)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }

    /// Creates a file that is not a photo, in an existing or new folder.
    func addText(_ path: String) throws {
        try addFolder(String(path.prefix { $0 != "/" }))
        try Data("not a photo\n".utf8).write(to: home.appendingPathComponent(path))
    }

    /// Creates a part of a Takeout with three photos.
    func addTakeout(_ path: String) throws {
        var part = ZipBuilder()
        let folder = "Takeout/Google Photos/Photos from 2023"
        for number in 1...3 { part.add("\(folder)/IMG_\(number).jpg", PhotoBytes.jpeg(number)) }
        part.add(
            "\(folder)/IMG_1.jpg.json", TakeoutJSON.photo("IMG_1.jpg", taken: 1_688_212_800, #""favorited":true,"#))
        part.add("\(folder)/IMG_2.jpg.json", TakeoutJSON.photo("IMG_2.jpg", taken: 1_688_212_800, #""trashed":true,"#))
        part.add("\(folder)/IMG_4.jpg.json", TakeoutJSON.photo("IMG_4.jpg", taken: 1_688_212_800))
        part.add("Takeout/Google Photos/Rome/metadata.json", TakeoutJSON.album("Summer in Rome"))
        part.add("Takeout/Google Photos/Rome/IMG_1.jpg", PhotoBytes.jpeg(1))
        try Data(part.bytes()).write(to: home.appendingPathComponent(path))
    }

    /// Creates a part of a copy of iCloud Photos with three photos, one of them in the trash.
    func addICloudPart(_ path: String) throws {
        var part = ZipBuilder()
        let names = ["IMG_1.JPG", "IMG_2.JPG", "IMG_4.JPG"]
        for number in 1...3 { part.add("Photos/IMG_\(number).JPG", PhotoBytes.jpeg(number + 30)) }
        let marks = ["yes,yes,no", "no,no,yes", "no,no,no"]
        let rows = zip(names, marks).map { ICloudCSV.row($0, "July 1,2023 12:00 PM", $1) }
        part.add("Photos/Photo Details.csv", Array(ICloudCSV.photos(rows).utf8))
        part.add("Albums/Summer in Rome.csv", Array("Images\nIMG_1.JPG\nIMG_9.JPG\n".utf8))
        part.add("Memories/Best of 2023.csv", Array("imageName\nIMG_1.JPG\n".utf8))
        part.add("iCloud Shared Albums.zip", ZipBuilder().bytes())
        try Data(part.bytes()).write(to: home.appendingPathComponent(path))
    }

    /// Creates an export of Ente with a photo in two albums and one without a description.
    func addEnteExport(_ path: String) throws {
        for album in ["Rome", "Favorites"] {
            let folder = home.appendingPathComponent("\(path)/\(album)")
            let descriptions = folder.appendingPathComponent(".meta")
            try FileManager.default.createDirectory(at: descriptions, withIntermediateDirectories: true)
            try Data(PhotoBytes.jpeg(41)).write(to: folder.appendingPathComponent("a.jpg"))
            try Data(EnteJSON.cli(7, ["a.jpg"]).utf8).write(to: descriptions.appendingPathComponent("a.jpg.json"))
            let title = #"{"id":1,"albumName":"\#(album)"}"#
            try Data(title.utf8).write(to: descriptions.appendingPathComponent("album_meta.json"))
        }
        try Data(PhotoBytes.jpeg(42)).write(to: home.appendingPathComponent("\(path)/Rome/b.jpg"))
    }

    /// Creates a file with the API key of Immich.
    func addImmichKey(_ path: String) throws {
        try Data("\(FakeImmich.key)\n".utf8).write(to: home.appendingPathComponent(path))
    }

    /// Replaces a file by the output of `aws iam create-access-key`, with AWS's example key.
    func addAccessKey(_ path: String) throws {
        let text = """
            {"AccessKey": {"AccessKeyId": "AKIAIOSFODNN7EXAMPLE", "SecretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCY"}}
            """
        try Data(text.utf8).write(to: home.appendingPathComponent(path))
    }

    func addFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            at: home.appendingPathComponent(path), withIntermediateDirectories: true)
    }

    /// Copies a file from another device.
    func copy(_ path: String, from other: Conversation.Device) throws {
        try FileManager.default.copyItem(
            at: other.home.appendingPathComponent(path), to: home.appendingPathComponent(path))
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: home.appendingPathComponent(path))
    }

    /// Waits until a sync no longer defers recently changed files.
    func waitUntilAtRest(_ path: String) async throws {
        try await waitUntil("a sync of \(path) defers no files", every: .milliseconds(250)) {
            try await json("photolala sync \(path) --dry-run --json")["waitingFiles"] as? Int == 0
        }
    }
}
