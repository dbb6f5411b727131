import ArgumentParser
import Foundation

struct CompletionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print or install completions for bash, zsh or fish.",
        discussion: """
            The Debian and Homebrew packages install them for all users. For this user and the current shell:

              photolala completions --install

            Replaces only a file that this command wrote.
            """
    )

    @Argument(help: ArgumentHelp("bash, zsh or fish. Default: that of $SHELL.", valueName: "shell"))
    var shell: CompletionShell?

    @Flag(help: "Write the file that the shell reads, instead of printing it.")
    var install = false

    func run() async throws {
        try await CommandFailure.reporting {
            let environment = ProcessInfo.processInfo.environment
            guard let shell = shell ?? CompletionShell(path: environment["SHELL"] ?? "") else {
                throw CommandFailure("$SHELL is none of bash, zsh and fish. Name the shell.", status: .wrongUsage)
            }
            guard install else { return try Terminal.writeResult(shell.script.trimmingCharacters(in: .newlines)) }
            let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
            let file = shell.file(environment: environment, home: home)
            try requireOwn(file)
            try FileReplacement.createFolder(of: file)
            try FileReplacement.write(Data(shell.script.utf8), to: file, mode: 0o644)
            try Terminal.writeResult("Wrote \(Terminal.sanitized(file)). \(shell.nextStep(file: file))")
        }
    }

    private func requireOwn(_ file: String) throws {
        var found = stat()
        guard lstat(file, &found) == 0 else { return }
        guard found.st_mode & S_IFMT == S_IFREG,
            CompletionShell.isWritten(
                String(decoding: try InputFile.bytes(of: file, limit: 1024, content: "completions"), as: UTF8.self))
        else {
            throw CommandFailure(
                "\(file) exists and was not written by this command. Remove it, or print to another file.")
        }
    }
}
