import Foundation
import PhotolalaTesting
import Testing

/// Every command of `photolala-server` in the operator's manual, run as it is written there, by a shell, on a real
/// folder.
@Suite struct RunbookTests {
    /// A command as the manual writes it, with the exit status that it has here.
    private struct Step {
        let command: String
        var status: Int32 = 0
        /// The text that its output must contain.
        var says = ""
    }

    /// Run beside the server of Bob's account, in this order.
    private static let besideServer = [
        Step(command: "check-settings", says: "environment"), Step(command: "doctor"),
        Step(command: "doctor --mail-to you@photos.example", status: 1, says: "no mail server"), Step(command: "jobs"),
        Step(command: "account show", says: "account ACCOUNT, active"),
        Step(command: "account show UUID", says: "log name"),
        Step(command: "account show --provider NAME --subject ID", says: "account ACCOUNT, active"),
        Step(command: "account show --email ADDRESS", status: 1, says: "account not found"),
        Step(command: "account list", says: "ACCOUNT"),
        Step(command: "account count-usage UUID", says: "stores"),
        Step(command: "account export UUID --to FILE", says: "exported"),
        Step(command: "account end-sessions UUID", says: "ended all sessions"),
        Step(command: "account delete UUID --confirm UUID", says: "receipt code"),
        Step(command: "deletions", says: "ACCOUNT"), Step(command: "account undelete UUID", says: "cancelled"),
        Step(command: "account hold UUID", says: "placed"), Step(command: "account release UUID", says: "released"),
        Step(command: "account disable UUID", says: "disabled"), Step(command: "account enable UUID", says: "enabled"),
        Step(
            command: "account move-identity UUID --provider NAME --subject ID", status: 1,
            says: "the account already has this identity"),
        Step(command: "account complete-move UUID --move MOVE", status: 1, says: "this move to the account is not"),
        Step(command: "account cancel-move UUID", status: 1, says: "this move to the account is not"),
        Step(command: "shared-link show LINK", status: 1, says: "shared link not found"),
        Step(command: "shared-link disable LINK", status: 1, says: "shared link not found"),
        Step(command: "shared-link enable LINK", status: 1, says: "shared link not found"),
        Step(command: "events", says: "0 accounts with pending events"),
        Step(command: "events retry [ACCOUNT]", says: "Scheduled 1 account"),
        Step(command: "events skip ACCOUNT SEQUENCE", status: 69, says: "no pending event"),
        Step(command: "repair", says: "no findings"), Step(command: "repair --apply", says: "no findings"),
        Step(command: "audit UUID", says: "account.created"),
        Step(command: "snapshot FOLDER/accounts-$(date +%F).snapshot", says: "1 account"),
        Step(command: "snapshot - | age -r RECIPIENT > FOLDER/accounts.snapshot.age"),
        Step(command: "backup", says: "Copied both databases"), Step(command: "scrub"),
        Step(command: "deletions --export erasures.jsonl"),
        Step(command: "prove-absence UUID --file SNAPSHOT", status: 1, says: "found"),
        Step(command: "migrate", says: "no migration in progress"),
        Step(command: "migrate --subjects hashed", says: "1"),
        Step(command: "migrate --subjects hashed --apply"), Step(command: "migrate --undo"),
        // The state that `--confirm` needs.
        Step(command: "migrate --subjects hashed --apply"), Step(command: "migrate --confirm"),
        Step(command: "transfer-apple --dry-run", says: "1 identity of the old team"),
        Step(command: "transfer-apple --prepare NEWTEAMID", status: 69, says: "apple"),
        Step(command: "transfer-apple --complete", status: 69, says: "apple"),
        Step(command: "transfer-apple --confirm", says: "0 already moved"),
        Step(command: "accept-deployment", status: 69, says: "requires a bucket"),
    ]

    /// Run on the folder after the server has stopped.
    private static let stopped = [
        Step(command: "accept-issuer NAME ISSUER…"), Step(command: "forget-signing-keys --apply"),
    ]

    /// Run on an empty folder, with the snapshot of the other one.
    private static let empty = [
        Step(command: "recover FILE", says: "1 account"),
        Step(command: "recover --deletions LEDGER --apply FILE", says: "1 account"),
        Step(command: "deletions --import FILE"), Step(command: "repair --apply", says: "no findings"),
    ]

    private static let accountCommands: Set = [
        "list", "show", "count-usage", "export", "end-sessions", "delete", "undelete", "disable", "enable",
        "move-identity", "complete-move", "cancel-move", "hold", "release",
    ]

    private static var manual: String {
        get throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            return try String(contentsOf: root.appending(path: "docs/operations.md"), encoding: .utf8)
        }
    }

    /// Returns the manual's commands: lines of code blocks, code within sentences, and the first column of the table of
    /// `account`.
    private static func commands(in manual: String) -> Set<String> {
        var found: Set<String> = []
        var prose: [String] = []
        for line in manual.split(separator: "\n").map(String.init) {
            guard line.hasPrefix("    ") else {
                prose.append(line)
                continue
            }
            if line.hasPrefix("    photolala-server ") { found.insert(String(line.dropFirst(21))) }
        }
        for match in prose.joined(separator: " ").matches(of: /`photolala-server ([^`]+)`/) {
            found.insert(String(match.1))
        }
        for line in prose where line.hasPrefix("| `") {
            guard let cell = line.dropFirst(2).split(separator: "|").first else { continue }
            for match in cell.matches(of: /`((list|[a-z-]+) ?[^`]*)`/) where Self.accountCommands.contains("\(match.2)")
            {
                found.insert("account \(match.1)")
            }
        }
        return Set(found.map(canonical).filter { !$0.hasSuffix(" …") })
    }

    /// Returns a command without comment and with one spelling of its placeholders.
    private static func canonical(_ command: String) -> String {
        command.replacing(/\s+#.*/, with: "").replacing(/\s+/, with: " ").trimmingCharacters(in: .whitespaces)
            .replacing("/backup/", with: "FOLDER/").replacing(/[0-9a-f]{8}-[0-9a-f-]{27}/, with: "UUID")
    }

    @Test("every command of the manual runs on a real folder and prints what it is for")
    func runbook() async throws {
        let documented = Self.commands(in: try Self.manual)
        let steps = Self.besideServer + Self.stopped + Self.empty
        #expect(documented == Set(steps.map(\.command)))
        try await withTemporaryFolder { folder, transport in
            let (data, new) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("new"))
            for each in [data, new, folder.appendingPathComponent("programs")] {
                try FileManager.default.createDirectory(at: each, withIntermediateDirectories: true)
            }
            let key = ["PHOTOLALA_KEYS_MASTER": "k1:\(Data(repeating: 7, count: 32).base64EncodedString())"]
            let server = try await ServerProcess(data: data, transport: transport, variables: key)
            let bob = CommandLineDevice(profile: folder.appendingPathComponent("bob"), server: server.address)
            #expect(try await bob.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            let user = try #require(try await bob.run("whoami", "--json").json()["user"] as? [String: Any])
            let account = try #require(user["serviceUserID"] as? String)
            let shell = Shell(folder: folder, account: account, variables: key)
            try shell.prepare()
            for step in Self.besideServer { try await shell.run(step, on: data) }
            #expect(server.stop() == 0)
            for step in Self.stopped { try await shell.run(step, on: data) }
            for step in Self.empty { try await shell.run(step, on: new) }
        }
    }

    /// A shell in which the manual's commands are typed.
    private struct Shell {
        let folder: URL
        let account: String
        let variables: [String: String]

        private var programs: URL { folder.appendingPathComponent("programs") }
        private var snapshot: String { "accounts-\(Self.today).snapshot" }
        private static var today: String {
            Date().formatted(.iso8601.year().month().day())
        }

        /// Puts the server on the path, and for `age` a program that copies.
        func prepare() throws {
            try FileManager.default.createSymbolicLink(
                at: programs.appendingPathComponent("photolala-server"),
                withDestinationURL: try Products.executable("photolala-server"))
            let age = programs.appendingPathComponent("age")
            try Data("#!/bin/sh\nexec cat\n".utf8).write(to: age)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: age.path)
        }

        func run(_ step: Step, on data: URL) async throws {
            var line = "set -o pipefail; photolala-server " + arguments(of: step.command)
            if step.command.hasPrefix("account move-identity") {
                line = "photolala-server operators create alice --role support > operator.key; \(line)"
            }
            let output = folder.appendingPathComponent("output-\(UUID().uuidString)")
            let own = [
                "PATH": "\(programs.path):/usr/bin:/bin", "HOME": data.path, "PHOTOLALA_ENVIRONMENT": "dev",
                "PHOTOLALA_DATA": data.path, "TZ": "UTC",
            ]
            let process = try ChildProcess(
                URL(filePath: "/bin/bash"), ["-c", "exec 2>&1; \(line)"],
                environment: own.merging(variables) { _, new in new }, folder: folder, output: .file(output))
            let status = await process.exit()
            let text = try String(contentsOf: output, encoding: .utf8)
            #expect(status == step.status, "\(line): \(text)")
            let expected = step.says.replacing("ACCOUNT", with: account)
            #expect(expected.isEmpty || text.contains(expected), "\(line): \(text)")
        }

        private func arguments(of command: String) -> String {
            var line = command
            switch command {
            case "account show": line += " UUID"
            case "backup": line += " FOLDER/databases"
            case "deletions --import FILE": line = "deletions --import erasures.jsonl"
            case "account export UUID --to FILE": line = "account export UUID --to bob.zip --reason ticket-1"
            case "account list", "account count-usage UUID": break
            case _ where command.hasPrefix("account ") && !command.hasPrefix("account show"):
                line += " --reason ticket-1"
                if command.contains("move") { line += " --key-file operator.key" }
            case "shared-link disable LINK", "shared-link enable LINK": line += " --reason ticket-1"
            default: break
            }
            let values = [
                "UUID": account, "[ACCOUNT]": account, "ACCOUNT": account, "SEQUENCE": "1", "RECIPIENT": "age1example",
                "NAME": "apple", "ID": "dev-bob", "FOLDER/": "\(folder.path)/", "FILE": snapshot, "SNAPSHOT": snapshot,
                "LEDGER": "erasures.jsonl",
                "MOVE": account, "ADDRESS": "eve@example.com", "LINK": "https://photos.example/s/x",
                "NEWTEAMID": "NEWTEAM123",
                "ISSUER…": "https://appleid.example",
            ]
            return line.split(separator: " ", omittingEmptySubsequences: false).map { word in
                values[String(word)] ?? String(word).replacing("FOLDER/", with: "\(folder.path)/")
            }.joined(separator: " ")
        }
    }
}
