import Foundation
import PhotolalaTesting
import Testing

/// The installed completions in the real shells.
@Suite struct CompletionJourneyTests {
    /// Words before the cursor, and completions that the last one has and has not.
    struct Case: Sendable {
        let words: [String]
        let expected: [String]
        var unexpected: [String] = []
    }

    private static let cases = [
        Case(words: ["ba"], expected: ["backup"]),
        Case(words: ["trash", "pu"], expected: ["put", "purge"]),
        Case(words: ["sync", ""], expected: ["Pictures"], unexpected: ["notes.txt"]),
        Case(words: ["backup", ""], expected: ["Pictures", "notes.txt"]),
        Case(words: ["whoami", "--profile-dir", ""], expected: ["Pictures"], unexpected: ["notes.txt"]),
        Case(words: ["signin", "--provider", "g"], expected: ["google"], unexpected: ["apple"]),
        Case(words: ["credentials", "--format", ""], expected: ["env", "process", "text"]),
        Case(words: ["completions", ""], expected: ["bash", "fish", "zsh"]),
    ]

    /// Installs the completions in a home folder with a folder and a file, and returns their path.
    private func install(_ shell: String, in folder: URL) async throws -> String {
        let pictures = folder.appendingPathComponent("work/Pictures")
        try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
        try Data().write(to: folder.appendingPathComponent("work/notes.txt"))
        let run = try await ChildProcess.run(
            Products.executable("photolala"), ["completions", "--install"],
            environment: ["HOME": folder.path, "SHELL": "/usr/bin/\(shell)"])
        #expect(run.status == 0 && run.output.hasPrefix("Wrote "), "\(run.output)")
        let file = try #require(run.output.dropFirst("Wrote ".count).split(separator: " ").first?.dropLast())
        return String(file)
    }

    private static func program(_ shell: String) -> URL? {
        ["/usr/bin/\(shell)", "/bin/\(shell)"].first { FileManager.default.isExecutableFile(atPath: $0) }
            .map { URL(filePath: $0) }
    }

    /// Runs a script of a shell in a folder with a folder and a file, and returns its lines.
    private func lines(_ shell: String, _ arguments: [String], in folder: URL) async throws -> [String] {
        // fish completes only commands that it finds.
        let programs = try Products.executable("photolala").deletingLastPathComponent().path
        let run = try await ChildProcess.run(
            URL(filePath: "/usr/bin/timeout"), ["60", try #require(Self.program(shell)).path] + arguments,
            environment: [
                "HOME": folder.path, "PATH": "\(programs):/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm",
            ],
            folder: folder.appendingPathComponent("work"))
        #expect(run.status == 0, "\(run.output)")
        return run.output.split(separator: "\n").map(String.init)
    }

    private func check(_ lines: [String], _ each: Case) {
        // A shell may end a folder's name with a slash, and add a description after a tab.
        let found = lines.map { String($0.prefix { $0 != "\t" && $0 != "/" }).trimmingCharacters(in: .whitespaces) }
        #expect(Set(each.expected).isSubset(of: found), "\(each.words) \(lines)")
        #expect(Set(each.unexpected).isDisjoint(with: found), "\(each.words) \(lines)")
    }

    @Test("bash completes commands, folders, files and values", .enabled(if: program("bash") != nil, "no bash"))
    func bash() async throws {
        try await withTemporaryFolder { folder in
            let file = try await install("bash", in: folder)
            let script = """
                source "$1"; shift
                COMP_WORDS=(photolala "$@") COMP_CWORD=$# COMP_LINE="photolala $*" COMP_POINT=${#COMP_LINE} COMPREPLY=()
                COMP_POINT=${#COMP_LINE}
                _photolala photolala "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            for each in Self.cases {
                check(try await lines("bash", ["-c", script, "bash", file] + each.words, in: folder), each)
            }
        }
    }

    @Test("fish completes commands, folders, files and values", .enabled(if: program("fish") != nil, "no fish"))
    func fish() async throws {
        try await withTemporaryFolder { folder in
            let file = try await install("fish", in: folder)
            #expect(file == "\(folder.path)/.config/fish/completions/photolala.fish")
            for each in Self.cases {
                // fish loads the file itself.
                let line = (["photolala"] + each.words).joined(separator: " ")
                check(try await lines("fish", ["-c", "complete -C '\(line)'"], in: folder), each)
            }
        }
    }

    @Test("zsh completes commands, folders and values", .enabled(if: program("zsh") != nil, "no zsh"))
    func zsh() async throws {
        try await withTemporaryFolder { folder in
            let file = try await install("zsh", in: folder)
            let functions = (file as NSString).deletingLastPathComponent
            // An interactive zsh, in which the keys of a word and of Tab are typed; Ctrl-G prints the line.
            let script = """
                zmodload zsh/zpty
                zpty shell zsh -f -i
                zpty -w shell "fpath=(${(q)1} \\$fpath); autoload -Uz compinit && compinit -u -D"
                zpty -w shell "zstyle ':completion:*' insert-tab false"
                zpty -w shell 'show() { print -r -- "$BUFFER" >>$HOME/lines; BUFFER=; }; zle -N show; bindkey "^G" show'
                zpty -w -n shell $'\(Self.unique.map { "\($0.typed)\\t\\C-g" }.joined())exit\\n'
                while zpty -r shell; do :; done
                """
            _ = try await lines("zsh", ["-f", "-c", script, "zsh", functions], in: folder)
            let found = try String(contentsOf: folder.appendingPathComponent("lines"), encoding: .utf8)
            #expect(found.split(separator: "\n").map(String.init) == Self.unique.map(\.line))
        }
    }

    /// Lines with one completion, which zsh adds.
    private static let unique: [(typed: String, line: String)] = [
        ("photolala bac", "photolala backup "), ("photolala trash pur", "photolala trash purge "),
        ("photolala sync ", "photolala sync Pictures/"), ("photolala backup no", "photolala backup notes.txt "),
        ("photolala signin --provider g", "photolala signin --provider google "),
        ("photolala credentials --format p", "photolala credentials --format process "),
    ]

    @Test("a file of another program is not replaced, and the own one is")
    func foreign() async throws {
        try await withTemporaryFolder { folder in
            let file = try await install("fish", in: folder)
            #expect(try await install("fish", in: folder) == file)
            try Data("# mine\n".utf8).write(to: URL(filePath: file))
            let run = try await ChildProcess.run(
                Products.executable("photolala"), ["completions", "fish", "--install"],
                environment: ["HOME": folder.path])
            #expect(run.status == 1 && run.output.contains("was not written by this command"), "\(run.output)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "# mine\n")
        }
    }

    @Test("an unknown shell is a usage error")
    func unknown() async throws {
        let run = try await ChildProcess.run(
            Products.executable("photolala"), ["completions"], environment: ["SHELL": "/bin/sh"])
        #expect(run.status == 64 && run.output.contains("$SHELL"), "\(run.output)")
    }
}
