import ArgumentParser
import PhotolalaAPI

/// The command-line interface for users.
@main
struct Photolala: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photolala",
        abstract: "Your photos, backed up under an account that opens with Apple, Google or another provider.",
        discussion: """
            First time here:       photolala signup --provider apple
            On another device:     photolala signin --provider apple
            Keep photos safe:      photolala backup ~/Pictures
            Get them back:         photolala restore --to ~/Restored
            Keep a folder equal:   photolala sync ~/Pictures
            Two ways to sign in:   photolala link --provider google
            Forgot who you are?    photolala whoami

            signup, signin, link and reauthenticate open your browser. Scripts add --id-token-file FILE, and on a server \
            in `dev` --dev-user NAME.
            One folder (--profile-dir) is one device: it remembers the server and who is signed in.
            Exit status: 0 done, 1 failed, 2 some files failed, 3 not signed in, 4 no account found, 5 identity \
            or device already in use, 6 prove again who you are, 7 try again later, 64 wrong usage, 65 the provider's proof \
            was refused, 130 interrupted.
            """,
        version: PhotolalaVersion.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Account",
                subcommands: [
                    SignUpCommand.self, SignInCommand.self, WhoAmICommand.self, SignOutCommand.self, LinkCommand.self,
                    UnlinkCommand.self, ReauthenticateCommand.self, DevicesCommand.self, HistoryCommand.self,
                    PreferencesCommand.self,
                ]),
            CommandGroup(
                name: "Photo",
                subcommands: [
                    BackupCommand.self, SyncCommand.self, StatusCommand.self, ListCommand.self, RestoreCommand.self,
                    VerifyCommand.self, TrashCommand.self, RefreshDatesCommand.self, RepairCatalogCommand.self,
                    LocalCommand.self, MigrateCommand.self,
                ]),
            CommandGroup(name: "Tool", subcommands: [CredentialsCommand.self]),
        ]
    )

    static func main() async {
        if let problem = ArgumentEncoding.problemOfThisProcess() { exit(withError: ValidationError(problem)) }
        await main(nil)
    }
}
