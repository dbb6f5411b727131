import Foundation

/// The files in `deploy/aws`, filled in for one bucket and account.
enum Deployment {
    static let bucket = "arn:aws:s3:::photolala-prod"
    static let account = "123456789012"
    static let userRole = "arn:aws:iam::123456789012:role/photolala-user"
    static let eraserRole = "arn:aws:iam::123456789012:role/photolala-eraser"
    static let serviceRole = "arn:aws:iam::123456789012:role/photolala-service"
    static let origin = "https://photos.example"

    static let values = [
        "PARTITION": "aws", "BUCKET": "photolala-prod", "ACCOUNT": account, "USER_ROLE": "photolala-user",
        "ERASER_ROLE": "photolala-eraser", "EXTERNAL_ID": "photolala-app-2024",
        "SERVICE_ROLE": "photolala-service", "ORIGIN": origin, "PLATFORM": "ecs-tasks.amazonaws.com",
        "REGION": "eu-central-1", "ENVIRONMENT": "prod",
    ]

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "deploy/aws")

    static func text(_ name: String) throws -> String {
        try values.reduce(String(contentsOf: folder.appending(path: name), encoding: .utf8)) { text, value in
            text.replacing("{\(value.key)}", with: value.value)
        }
    }

    static func policy(_ name: String) throws -> IAMPolicy { try IAMPolicy(json: text(name)) }

    static func document<Document: Decodable>(_ type: Document.Type, _ name: String) throws -> Document {
        try JSONDecoder().decode(type, from: Data(text(name).utf8))
    }
}
