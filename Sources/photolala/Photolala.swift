import ArgumentParser
import PhotolalaAPI
import Transport

/// The command-line interface for users.
@main
struct Photolala: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photolala",
        abstract: "Back up, sync and restore photos. Sign in with Apple, Google or another provider.",
        discussion: """
            Create an account:     photolala signup --provider apple
            Sign in:               photolala signin --provider apple
            Back up photos:        photolala backup ~/Pictures
            Restore photos:        photolala restore --to ~/Restored
            Sync a folder:         photolala sync ~/Pictures
            Add a sign-in method:  photolala link --provider google
            Show your account:     photolala whoami

            signup, signin, link and reauthenticate open your browser. Scripts use --id-token-file FILE or, with a `dev` \
            server, --dev-user NAME.
            Each profile folder (--profile-dir) is a separate device with its own server and session.
            Exit status: 0 success, 1 failure, 2 some files failed, 3 not signed in, 4 no account found, 5 identity \
            or device already in use, 6 reauthentication required, 7 try again later, 64 usage error, 65 sign-in rejected, \
            130 interrupted.
            """,
        version: PhotolalaVersion.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Account",
                subcommands: [
                    SignUpCommand.self, SignInCommand.self, WhoAmICommand.self, SignOutCommand.self, LinkCommand.self,
                    UnlinkCommand.self, ReauthenticateCommand.self, DevicesCommand.self, HistoryCommand.self,
                    PreferencesCommand.self, DeleteAccountCommand.self,
                ]),
            CommandGroup(
                name: "Photo",
                subcommands: [
                    BackupCommand.self, SyncCommand.self, StatusCommand.self, ListCommand.self, FindCommand.self,
                    OpenCommand.self, ThumbnailCommand.self, RestoreCommand.self, RecallCommand.self,
                    ExportCommand.self, ImportCommand.self, VerifyCommand.self, PreviewsCommand.self,
                    VersionsCommand.self, AlbumCommand.self, FavoriteCommand.self, HiddenCommand.self,
                    ShareCommand.self,
                    TrashCommand.self,
                    UndoCommand.self, RefreshDatesCommand.self, RepairCatalogCommand.self, LocalCommand.self,
                    MigrateCommand.self,
                ]),
            CommandGroup(
                name: "Tool",
                subcommands: [
                    CredentialsCommand.self, AWSProfileCommand.self, ServeWebDAVCommand.self,
                    CredentialCodeCommand.self,
                ]),
            CommandGroup(
                name: "System", subcommands: [DoctorCommand.self, ServiceCommand.self, CompletionsCommand.self]),
        ]
    )

    /// The prefix of usage errors, as of all other errors.
    static var _errorPrefix: String { "error: " }

    static func main() async {
        StandardStreams.openClosed()
        StandardOutput.checkAtExit()
        var arguments: [String] = []
        do {
            let texts = try ProgramArguments.texts(of: ArgumentEncoding.argumentsOfThisProcess())
            arguments = texts ?? Array(CommandLine.arguments.dropFirst())
            try CommandNames.check(arguments, of: Self.self)
            var command = try await asyncParseAsRoot(texts)
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch { end(error, arguments) }
    }

    /// Ends the program as ArgumentParser does, but without the control characters of arguments in its message.
    private static func end(_ error: any Error, _ arguments: [String]) -> Never {
        let status = exitCode(for: error)
        guard status != .success else { exit(withError: error) }
        var text = fullMessage(for: error, columns: nil)
        // Errors of the parser itself have a type of its own.
        if let error = error as? ValidationError, let usage = CommandNames.usage(of: arguments, Self.self) {
            text = "\(_errorPrefix)\(error.message)\n\(usage)"
        }
        if !text.isEmpty { Terminal.writeNotice(TerminalText.message(text, quoting: CommandLine.arguments)) }
        exit(withError: status)
    }
}
