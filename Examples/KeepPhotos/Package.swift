// swift-tools-version: 6.2
import PackageDescription

// As an app adds the SDK: by address and version, both yours to set. Without the trait "Programs", SwiftPM does not
// fetch what only the server and the command lines need.
let package = Package(
    name: "keep-photos",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        .package(
            url: Context.environment["PHOTOLALA_REPOSITORY"] ?? "https://github.com/OWNER/photolala", exact: "0.1.0",
            traits: [])
    ],
    targets: [
        .executableTarget(
            name: "keep-photos", dependencies: [.product(name: "PhotolalaClient", package: "photolala")],
            path: "Sources")
    ]
)
