import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaDirectFunctions
import Secrets

struct CredentialCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential-code", abstract: "Write a Swift file with an app's sealed AWS credentials.",
        discussion: """
            For apps that invoke Photolala's Lambda functions with credentials of their own. Sealing hides credentials \
            from searches, not from reverse engineering; apps do not need them to sign in. Embed only keys \
            that can invoke these functions and nothing else:

              aws iam create-access-key --user-name photolala-app-prod > key.json
              photolala credential-code prod=key.json --region eu-west-1 --output Key.swift

            Release builds contain only the prod credentials; the others are compiled if the condition is set. The file is \
            replaced if this command wrote it. Delete the key files afterwards.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "prod or stage, and the output of `aws iam create-access-key`: a file, or - for standard input.",
            valueName: "environment=file"))
    var keys: [EnvironmentValue]

    @Option(
        name: .customLong("region"), parsing: .singleValue,
        help: ArgumentHelp(
            "AWS region of the functions. ENVIRONMENT=REGION sets the region of one environment.", valueName: "region"))
    var regions: [String] = []

    @Option(help: ArgumentHelp("Swift file to write.", valueName: "file"), completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "Compilation condition of builds that may use other environments than prod.", valueName: "name"))
    var condition = "DEBUG"

    func validate() throws {
        try TextChecks.check(output, of: "--output", expects: "a file")
        let environments = keys.map(\.environment)
        guard Set(environments).count == environments.count else {
            throw ValidationError("Each environment can be given once.")
        }
        guard keys.count(where: { $0.value == "-" }) <= 1 else {
            throw ValidationError("Only one key can be read from standard input.")
        }
        guard output != "-" else { throw ValidationError("--output must be a file.") }
        // Lower case would allow `true`, with which releases have all credentials.
        guard condition.wholeMatch(of: /[A-Z_][A-Z0-9_]*/) != nil else {
            throw ValidationError("--condition must have only upper-case letters, digits and underscores.")
        }
        guard condition != "SWIFT_PACKAGE" else {
            throw ValidationError("--condition: SwiftPM sets SWIFT_PACKAGE in releases, too.")
        }
        for text in regions where text.contains("=") && EnvironmentValue(argument: text) == nil {
            throw ValidationError("--region: “\(text)” does not begin with prod= or stage=.")
        }
        for environment in environments { _ = try region(of: environment) }
    }

    func run() async throws {
        try await CommandFailure.reporting {
            try requireReplaceable()
            let opened = try keys.map(read)
            guard Set(opened.map(\.invoker.accessKeyID)).count == opened.count else {
                throw CommandFailure("Two environments have the same key. Make one for each environment.")
            }
            let sealed = try opened.map {
                try EmbeddedCredentials.seal($0.invoker, for: $0.environment, randomness: .system)
            }
            let text = CredentialCode(sealed: sealed, condition: condition).text
            try FileReplacement.write(Data(text.utf8), to: output, mode: 0o600)
            let releases = sealed.contains { $0.environment == .prod } ? "prod" : "no environment"
            let all = sealed.map(\.environment.rawValue).joined(separator: ", ")
            try Terminal.writeResult("Wrote \(output). Release builds: \(releases). Builds with \(condition): \(all).")
        }
    }

    /// Never replaces a file that was written by hand, a link or a device.
    private func requireReplaceable() throws {
        var found = stat()
        guard lstat(output, &found) == 0 else { return }
        guard found.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure("\(output) is not a regular file. Choose another file.")
        }
        let limit = CredentialCode.firstLine.utf8.count
        let beginning = try InputFile.bytes(of: output, limit: limit, content: "the file", as: .regular).prefix(limit)
        guard Data(beginning) == Data(CredentialCode.firstLine.utf8) else {
            throw CommandFailure("\(output) exists and was not written by this command. Choose another file.")
        }
    }

    private func read(
        _ key: EnvironmentValue
    ) throws -> (environment: DeploymentEnvironment, invoker: EmbeddedCredentials.Invoker) {
        let text = try InputFile.bytes(of: key.value, limit: AccessKeyFile.limit, content: "an access key")
        let file: AccessKeyFile
        do {
            file = try AccessKeyFile(text)
        } catch {
            throw CommandFailure("\(InputFile.name(key.value)) \(error.text).")
        }
        let invoker = EmbeddedCredentials.Invoker(
            accessKeyID: file.accessKeyID, secretAccessKey: file.secretAccessKey,
            region: try region(of: key.environment))
        return (key.environment, invoker)
    }

    private func region(of environment: DeploymentEnvironment) throws -> String {
        let own = regions.compactMap(EnvironmentValue.init(argument:)).last { $0.environment == environment }?.value
        guard let region = own ?? regions.last(where: { !$0.contains("=") }) else {
            throw ValidationError("--region is required for \(environment.rawValue).")
        }
        guard region.wholeMatch(of: /[a-z]{2,}(-[a-z]+)+-[0-9]{1,2}/) != nil else {
            throw ValidationError("--region: “\(region)” is not an AWS region, such as eu-central-1.")
        }
        return region
    }
}

/// A value for one environment on AWS: `prod=VALUE`.
struct EnvironmentValue: ExpressibleByArgument, Equatable {
    let environment: DeploymentEnvironment
    let value: String

    /// Returns `nil` for `dev`, too, which does not run on AWS.
    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let environment = DeploymentEnvironment(rawValue: String(parts[0])),
            environment != .dev
        else { return nil }
        (self.environment, value) = (environment, String(parts[1]))
    }
}
