import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

struct AWSProfileCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "aws-profile", abstract: "Let aws, boto3 and rclone use your photos' S3 credentials.",
        discussion: """
            Writes a profile to ~/.aws/config or $AWS_CONFIG_FILE, whose credential_process is `photolala credentials`: \
            programs renew the credentials themselves while this device is signed in. Other content of the file is kept.
            """
    )

    @Argument(help: ArgumentHelp("Name of the profile.", valueName: "name"))
    var name = "photolala"

    @Flag(help: "Only print the profile.")
    var print = false

    @Flag(help: "Also replace or remove a profile that has other settings.")
    var replace = false

    @Flag(help: "Remove the profile.")
    var remove = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._@-]{0,63}/) != nil else {
            throw ValidationError("NAME must have 1 to 64 letters, digits, “.”, “-”, “_” and “@”.")
        }
        if print, remove || replace { throw ValidationError("--print cannot be used with --remove or --replace.") }
    }

    func perform(_ context: CommandContext) async throws -> AWSProfileResult {
        let environment = ProcessInfo.processInfo.environment
        let location = try AWSConfigLocation(environment: environment)
        if remove {
            let isRemoved = try location.change { try $0.remove(name, replacing: replace) }
            return AWSProfileResult(
                change: isRemoved ? .removed : .missing, profile: name, file: location.config, settings: nil,
                photos: nil)
        }
        guard try common.pairedServer(environment: environment) == nil else {
            throw CommandFailure("AWS programs cannot verify the certificate of a server in pairing mode.")
        }
        let credentials = try await context.session.credentials()
        let profile = AWSProfile(
            name: name, program: ThisProgram.path,
            profile: common.profileURL(environment: environment).standardizedFileURL.path,
            allowsPlainHTTP: common.allowPlainHttp, region: credentials.region, endpoint: credentials.endpoint)
        let text = try profile.text()
        if !print {
            try location.requireNoKeys(for: name)
            try location.change { try $0.set(name, to: text, replacing: replace) }
        }
        let prefix = try await context.session.signedInUserID().map { StorageLayout.photos($0) } ?? ""
        return AWSProfileResult(
            change: print ? .none : .written, profile: name, file: location.config, settings: text,
            photos: "s3://\(credentials.bucket)/\(prefix)")
    }
}

/// A profile of AWS programs, and what was done with it.
struct AWSProfileResult: CommandResult {
    enum Change: String, Encodable {
        case none, written, removed, missing
    }

    let change: Change
    let profile: String
    let file: String
    let settings: String?
    /// The address of the photos.
    let photos: String?

    var text: String {
        switch change {
        case .none: settings ?? ""
        case .written:
            """
            Wrote the profile \(profile) to \(Terminal.sanitized(file)).
            Next:  \(SuggestedCommand.text("aws --profile=? s3 ls ?", profile, photos ?? ""))
            """
        case .removed: "Removed the profile \(profile) from \(Terminal.sanitized(file))."
        case .missing: "\(Terminal.sanitized(file)) has no profile \(profile)."
        }
    }
}
