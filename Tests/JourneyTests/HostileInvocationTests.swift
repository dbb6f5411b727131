import Foundation
import PhotolalaTesting
import Testing

/// Programs that are started with hostile arguments, files and streams.
@Suite struct HostileInvocationTests {
    private func run(
        _ script: String, in folder: URL, _ variables: [String: String] = [:]
    ) async throws -> CommandLineDevice.Run {
        let (output, errors) = (folder.appending(path: "out"), folder.appending(path: "err"))
        for file in [output, errors] { try Data().write(to: file) }
        let programs = try Products.executable("photolala").deletingLastPathComponent().path
        let environment = ["PATH": "\(programs):/usr/bin:/bin", "HOME": folder.path].merging(variables) { $1 }
        let process = try ChildProcess(
            URL(filePath: "/bin/bash"), ["-c", script], environment: environment, folder: folder,
            output: .file(output), errors: .file(errors))
        return CommandLineDevice.Run(
            status: await process.exit(), output: try Data(contentsOf: output),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }

    @Test(
        arguments: [
            ("photolala $'--bad\\e[31m'", "error: Unknown option '--bad\u{FFFD}[31m'\n", 64),
            ("photolala whoami $'a\\nerror: b'", "error: Unexpected argument 'a\u{FFFD}error: b'\n", 64),
            ("photolala list --limit $'\\ex'", "error: The value '\u{FFFD}x' is invalid for '--limit <n>'\nHelp:", 64),
            ("photolala-server check-settings $'\\ex'", "error: Unexpected argument '\u{FFFD}x'\n", 64),
            ("photolala-server $'\\ex'", "error: Unknown command “\u{FFFD}x”.\n", 64),
            ("photolala-server check-settings --config $'\\ex'", "invalid settings (1 problem):\n  - \u{FFFD}x:", 78),
            ("photolala $'\\xff'", "error: Argument 1 is not valid UTF-8: \\xFF.\n", 64),
        ] as [(String, String, Int32)])
    func `control characters of arguments are not printed`(
        command: String, message: String, status: Int32
    ) async throws {
        try await withTemporaryFolder { folder in
            let failed = try await run(command, in: folder)
            #expect(failed.status == status && failed.errors.hasPrefix(message), "\(failed.errors)")
            #expect(status != 64 || failed.errors.contains("\nUsage: photolala"))
            #expect(failed.output.isEmpty)
        }
    }

    @Test func `a profile folder that cannot be opened is as a device without a session`() async throws {
        try await withTemporaryFolder { folder in
            try Data().write(to: folder.appending(path: "file"))
            for (profile, reason) in [("file", "is not a folder."), ("file/p", ": Not a directory.")] {
                let failed = try await run("photolala whoami --profile-dir \(profile)", in: folder)
                #expect(failed.status == 3 && failed.errors.contains(reason), "\(failed.errors)")
                #expect(failed.errors.hasSuffix("add:  --profile-dir DIR\n"))
            }
        }
    }

    @Test func `the thumbnailer explains itself, and a limit for its output is an error`() async throws {
        try await withTemporaryFolder { folder in
            let help = try await run("photolala-thumbnailer --help", in: folder)
            #expect(help.status == 0 && help.text.hasPrefix("Usage: photolala-thumbnailer"))
            let limited = try await run("ulimit -f 0; photolala-thumbnailer --help", in: folder)
            #expect(limited.status == 1 && limited.text.isEmpty)
            #expect(try await run("photolala-thumbnailer --bad", in: folder).status == 64)
        }
    }

    #if os(Linux)
        @Test func `a closed stream is not replaced by a file that is opened`() async throws {
            try await withTemporaryFolder { folder in
                try #require(mkfifo(folder.appending(path: "key").path, 0o600) == 0)
                // The shell waits until the program has opened the pipe.
                let script = """
                    photolala credential-code prod=key --region eu-west-1 --output Key.swift <&- >&- 2>&- &
                    exec 9> key; readlink /proc/$!/fd/0 /proc/$!/fd/1 /proc/$!/fd/2
                    echo '{}' >&9; exec 9>&-; wait $!
                    """
                let ended = try await run(script, in: folder)
                #expect(ended.status == 1 && ended.text == "/dev/null\n/dev/null\n/dev/null\n", "\(ended.text)")
            }
        }
    #endif

    #if os(Linux)
        @Test(arguments: ["2>&-", "2>/dev/full"])
        func `messages that cannot be written keep the exit status`(stream: String) async throws {
            try await withTemporaryFolder { folder in
                let missing = try await run("photolala-server check-settings --config missing \(stream)", in: folder)
                #expect(missing.status == 78)
                #expect(try await run("photolala --unknown \(stream)", in: folder).status == 64)
            }
        }

        @Test(arguments: ["photolala doctor", "photolala doctor --json", "photolala local list"])
        func `output that a full disk does not take is an error`(command: String) async throws {
            try await withTemporaryFolder { folder in
                let failed = try await run("\(command) >/dev/full", in: folder)
                #expect(failed.status == 1)
                #expect(failed.errors == "error: Cannot write to standard output: No space left on device.\n")
            }
        }
    #endif

    @Test(arguments: ["photolala --version", "photolala doctor", "photolala local list", "photolala-server --version"])
    func `a closed standard output is an error`(command: String) async throws {
        try await withTemporaryFolder { folder in
            let failed = try await run("\(command) >&-", in: folder)
            #expect(failed.status == 1)
            #expect(failed.errors == "error: Cannot write to standard output: Bad file descriptor.\n")
        }
    }

    @Test func `files that must be regular ones are not waited for`() async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appending(path: "data")
            let server = try await ServerProcess(data: data, transport: transport)
            let home = folder.appending(path: "home")
            let device = CommandLineDevice(profile: home, server: server.address)
            try await device.run("signup", "--provider", "apple", "--dev-user", "bob")
            try #require(mkfifo(folder.appending(path: "pipe").path, 0o600) == 0)
            let variables = ["PHOTOLALA_SERVER": server.address, "PHOTOLALA_PROFILE_DIR": home.path]
            let failed = try await run("AWS_CONFIG_FILE=pipe photolala aws-profile", in: folder, variables)
            #expect(failed.status == 1 && failed.errors.contains("pipe: not a regular file.\n"), "\(failed.errors)")
            try PhotoFolder.make(2, in: folder.appending(path: "Pictures"))
            let backup = "photolala backup --exclude-from <(echo '*_0.jpg') --no-thumbnails Pictures"
            let done = try await run(backup, in: folder, variables)
            #expect(done.status == 0 && done.text.contains("Uploaded 1 of 1 file"), "\(done.errors)")
            #expect(server.stop() == 0)
        }
    }

    @Test func `a suggested command for a folder whose name begins with a dash backs it up`() async throws {
        try await withTemporaryFolder { folder, transport in
            let server = try await ServerProcess(data: folder.appending(path: "data"), transport: transport)
            let home = folder.appending(path: "home")
            let device = CommandLineDevice(profile: home, server: server.address)
            try await device.run("signup", "--provider", "apple", "--dev-user", "bob")
            try PhotoFolder.make(2, in: folder.appending(path: "-n"))
            let variables = ["PHOTOLALA_SERVER": server.address, "PHOTOLALA_PROFILE_DIR": home.path]
            let script = """
                command=$(photolala status --into=-x -- -n | sed -n 's/^To back up:  //p')
                echo "$command"; eval "${command/backup/backup --no-thumbnails}"
                """
            let ended = try await run(script, in: folder, variables)
            #expect(ended.status == 0, "\(ended.errors)")
            #expect(ended.text.hasPrefix("photolala backup --into=-x -- -n\n"), "\(ended.text)")
            #expect(ended.text.contains("Uploaded 2 of 2 files"), "\(ended.text)")
            #expect(server.stop() == 0)
        }
    }
}
