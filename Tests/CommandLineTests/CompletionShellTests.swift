import Foundation
import Testing

@testable import photolala

/// Where `photolala completions --install` writes, and what it replaces.
@Suite struct CompletionShellTests {
    @Test(arguments: CompletionShell.allCases)
    func `a script is recognized as written by this command, another file is not`(_ shell: CompletionShell) {
        #expect(CompletionShell.isWritten(shell.script))
        let lines = shell.script.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(!CompletionShell.isWritten((lines.prefix(1) + lines.dropFirst(2)).joined(separator: "\n")))
        #expect(!CompletionShell.isWritten(""))
    }

    @Test func `zsh reads the name of the command in the first line`() {
        #expect(CompletionShell.zsh.script.hasPrefix("#compdef photolala\n"))
    }

    @Test func `the files are those of XDG's folders, which must be absolute`() {
        let given = ["XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "/config"]
        let relative = ["XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": ""]
        func files(_ environment: [String: String]) -> [String] {
            CompletionShell.allCases.map { $0.file(environment: environment, home: "/home/bob") }
        }
        #expect(
            files(given) == [
                "/data/bash-completion/completions/photolala", "/data/zsh/site-functions/_photolala",
                "/config/fish/completions/photolala.fish",
            ])
        #expect(
            files(relative) == [
                "/home/bob/.local/share/bash-completion/completions/photolala",
                "/home/bob/.local/share/zsh/site-functions/_photolala",
                "/home/bob/.config/fish/completions/photolala.fish",
            ])
    }

    @Test func `the shell is found by the name of its program`() {
        #expect(CompletionShell(path: "/usr/bin/zsh") == .zsh)
        #expect(CompletionShell(path: "/bin/sh") == nil && CompletionShell(path: "") == nil)
    }
}
