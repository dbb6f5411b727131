import ArgumentParser
import Foundation

/// A shell with completions, and where it looks for those of one user.
enum CompletionShell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish

    private static let mark = "# Written by `photolala completions`."

    /// Returns the shell with this path, such as `$SHELL`; `nil` if it has no completions.
    init?(path: String) {
        guard let name = path.split(separator: "/").last else { return nil }
        self.init(rawValue: String(name))
    }

    /// The script, marked as written by this command in its second line: the first one of zsh has a meaning.
    var script: String {
        let kind: ArgumentParser.CompletionShell =
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        let script = Photolala.completionScript(for: kind)
        guard let end = script.firstIndex(of: "\n") else { return script }
        return "\(script[..<end])\n\(Self.mark)\(script[end...])"
    }

    /// Returns whether a file is a script of any version of this command.
    static func isWritten(_ text: String) -> Bool {
        let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        return lines.dropFirst().first.map(String.init) == mark
    }

    /// Returns the file of one user's completions. zsh has no such place by default.
    func file(environment: [String: String], home: String) -> String {
        func folder(_ variable: String, _ usual: String) -> String {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(usual)"
        }
        return switch self {
        case .bash: "\(folder("XDG_DATA_HOME", ".local/share"))/bash-completion/completions/photolala"
        case .zsh: "\(folder("XDG_DATA_HOME", ".local/share"))/zsh/site-functions/_photolala"
        case .fish: "\(folder("XDG_CONFIG_HOME", ".config"))/fish/completions/photolala.fish"
        }
    }

    /// What the user does next.
    func nextStep(file: String) -> String {
        switch self {
        case .bash: "Open a new shell. It needs the package bash-completion."
        case .zsh:
            """
            Add these lines to ~/.zshrc, before any other compinit, unless they are there:

              fpath=(\(ShellWord.quoted((file as NSString).deletingLastPathComponent)) $fpath)
              autoload -Uz compinit && compinit
            """
        case .fish: "Open a new shell."
        }
    }
}
