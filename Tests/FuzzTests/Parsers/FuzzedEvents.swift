import Foundation
import Hummingbird
import JSONCoding
import Logging
import NIOCore
import PhotolalaLambda
import PhotolalaServer

extension FuzzedParser {
    /// The events of AWS Lambda, whose parts come from anyone.
    static func events() -> [FuzzedParser] {
        let responder = CallbackResponder { (request: Request, _: ServerContext) in
            let body = try await request.body.collect(upTo: 1 << 20)
            return Response(
                status: .ok, headers: request.headers,
                body: .init(byteBuffer: ByteBuffer(string: "\(request.head.path ?? "") \(body.readableBytes)")))
        }
        let function = HTTPFunction(responder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let event = """
            {"version":"2.0","rawPath":"/stage/a%20b","rawQueryString":"x=1&y","cookies":["a=1","b=2"],\
            "headers":{"host":"a.example","content-type":"application/json","x-test":"1,2"},\
            "requestContext":{"domainName":"a.example","stage":"stage","http":{"method":"POST","path":"/a",\
            "sourceIp":"203.0.113.7"}},"body":"e30=","isBase64Encoded":true}
            """
        return [
            FuzzedParser("function URL event", [Array(event.utf8)], tokens: .json) { bytes in
                let invocation = Invocation(id: "a", deadline: .distantFuture, event: ByteBuffer(bytes: bytes))
                switch await function.handle(invocation) {
                case .failure(let failure):
                    try PropertyViolation.unless(
                        failure.errorType == "invalid_event", "a rejection has its own type: \(failure)")
                    return false
                case .answer(let answer):
                    let members = try JSONReader.read(answer.readableBytesView).object ?? [:]
                    try PropertyViolation.unless(members["statusCode"]?.integer == 200, "an answer has a status")
                    let target = members["body"]?.string?.prefix { $0 != " " } ?? ""
                    try PropertyViolation.unless(
                        target.hasPrefix("/") && target.utf8.allSatisfy { (0x21...0x7e).contains($0) },
                        "a target is a path of visible characters: \(target)")
                    return true
                }
            }
        ]
    }
}
