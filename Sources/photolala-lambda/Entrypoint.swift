import CLambdaCompatibility
import Foundation
import PhotolalaLambda
import ServiceWiring
import Transport

/// A function on AWS Lambda (`provided.al2023`). `_HANDLER` selects which one.
@main
enum Entrypoint {
    static func main() async {
        StandardStreams.openClosed()
        let variables = ProcessInfo.processInfo.environment
        guard let address = variables["AWS_LAMBDA_RUNTIME_API"], !address.isEmpty else {
            printError("AWS_LAMBDA_RUNTIME_API is not set: this program runs on AWS Lambda. See docs/lambda.md")
            exit(78)
        }
        let transport = AsyncHTTPTransport(idleTimeout: RuntimeClient.unlimited)
        let api = RuntimeClient(address: address, transport: transport)
        do {
            try await LambdaProgram(variables: variables, api: api).run()
            try? await transport.shutdown()
        } catch let error as RuntimeAPIError {
            printError("\(error)")
            exit(1)
        } catch {
            let failure = StartFailure(error)
            printError(failure.reason)
            try? await api.failInitialization(failure.report)
            exit(1)
        }
    }

    private static func printError(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("photolala-lambda: \(text)\n".utf8))
    }
}
