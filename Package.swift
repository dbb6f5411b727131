// swift-tools-version: 6.2
import PackageDescription

/// A dependency that neither the SDK nor an app needs. SwiftPM does not fetch its package where the trait is disabled.
func programs(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Programs"]))
}
let argumentParser = programs("ArgumentParser", "swift-argument-parser")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let configuration = programs("Configuration", "swift-configuration")
let coreMetrics = programs("CoreMetrics", "swift-metrics")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let grdb = programs("GRDB", "GRDB.swift")
let grdbSQLite = programs("GRDBSQLite", "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = programs("Hummingbird", "hummingbird")
let hummingbirdCore = programs("HummingbirdCore", "hummingbird")
let hummingbirdTesting = programs("HummingbirdTesting", "hummingbird")
let mustache = programs("Mustache", "swift-mustache")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }
let (nioCore, nioEmbedded, nioHTTP1) = (nio("NIOCore"), nio("NIOEmbedded"), nio("NIOHTTP1"))
let (nioPosix, nioTLS) = (nio("NIOPosix"), nio("NIOTLS"))
let nioHTTPTypes = programs("NIOHTTPTypes", "swift-nio-extras")
let nioHTTPTypesHTTP1 = programs("NIOHTTPTypesHTTP1", "swift-nio-extras")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let swiftASN1 = programs("SwiftASN1", "swift-asn1")
let x509 = programs("X509", "swift-certificates")
let serviceLifecycle = programs("ServiceLifecycle", "swift-service-lifecycle")
let tracing = programs("Tracing", "swift-distributed-tracing")
let yams = programs("Yams", "Yams")
// iOS has no processes.
let subprocess = Target.Dependency.product(
    name: "Subprocess", package: "swift-subprocess", condition: .when(platforms: [.linux, .macOS]))

// Apple's systems read the manifest in a bundle, which a build for another system does not need.
#if canImport(Darwin)
    let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
#else
    let privacyManifest: [Resource] = []
#endif

// Compiled into the operators' console.
let consoleResources: [Resource] = ["account", "accounts", "history", "home", "jobs", "sign_in"].map {
    .embedInCode("Templates/console_\($0).mustache")
}

// The test targets and what they import.
let tests: KeyValuePairs<String, [Target.Dependency]> = [
    "CommandLineTests": [
        "PhotolalaAPI", "PhotolalaClient", "PhotolalaDirectFunctions", "PhotolalaTesting", "Transport", "photolala",
        argumentParser, httpTypes,
    ],
    "PhotolalaDirectFunctionsTests": [
        "AWSServices", "PhotolalaAPI", "PhotolalaClient", "PhotolalaDirectFunctions", "PhotolalaTesting", "S3Protocol",
        "Secrets", "Transport", httpTypes, nioCore,
    ],
    "PhotolalaClientTests": [
        "ForeignExports", "JWS", "ObjectStorage", "PhotoCatalog", "PhotoSync", "PhotolalaAPI", "PhotolalaClient",
        "PhotolalaTesting",
        "Secrets", "Transport", crypto, httpTypes, nioCore, yams,
    ],
    "SharingTests": ["ObjectStorage", "PhotolalaAPI", "PhotolalaTesting", "Secrets", "Sharing"],
    "SubscriptionsTests": ["ObjectStorage", "PhotolalaAPI", "PhotolalaTesting", "Secrets", "Subscriptions"],
    "AppStoreTests": [
        "AppStore", "JSONCoding", "JWS", "PhotolalaAPI", "PhotolalaTesting", "Secrets", "Subscriptions", "Transport",
        crypto, httpTypes, nioCore, swiftASN1, x509,
    ],
    "AWSServicesTests": [
        "AWSServices", "ObjectStorage", "PhotolalaAPI", "S3Protocol", "Secrets", "StorageAccess", "Transport",
        httpTypes, nioCore,
    ],
    "DeploymentTests": [
        "AWSServices", "AccountMaintenance", "Accounts", "Monitoring", "ObjectStorage", "PhotolalaAPI",
        "PhotolalaTesting", "StorageAccess", "StorageGateway", httpTypes, nioCore,
    ],
    "LiveStoreTests": [
        "AWSServices", "HTTPListener", "Monitoring", "ObjectStorage", "PhotoSync", "PhotolalaAPI", "PhotolalaTesting",
        "S3Protocol", "Secrets", "StorageAccess", "StorageGateway", "Transport", "UseCases", crypto, httpTypes, logging,
        nioCore, nioPosix,
    ],
    "AccountsTests": [
        "AccountMaintenance", "Accounts", "DevelopmentIdentityProvider", "ObjectStorage", "PhotolalaAPI",
        "PhotolalaTesting", "Secrets", "UseCases", nioCore,
    ],
    "CostTests": [
        "AWSServices", "AccountMaintenance", "Accounts", "DevelopmentIdentityProvider", "ObjectStorage", "PhotolalaAPI",
        "PhotolalaTesting", "S3Protocol", "Secrets", "Transport", "UseCases", crypto, httpTypes, nioCore,
    ],
    "FuzzTests": [
        "AWSServices", "AccountMaintenance", "Accounts", "IdentityProviders", "JSONCoding", "JWS", "Monitoring",
        "ObjectStorage", "PhotoCatalog", "PhotoSync", "PhotolalaAPI", "PhotolalaLambda", "PhotolalaServer",
        "PhotolalaTesting", "S3Protocol", "Secrets", "Sessions", "StorageAccess", "StorageGateway", "Transport",
        "UseCases", "photolala-thumbnailer", crypto, httpTypes, hummingbird, hummingbirdTesting, logging, nioCore,
        nioPosix,
    ],
    "HTTPListenerTests": [
        "HTTPListener", "PhotolalaTesting", httpTypes, hummingbird, hummingbirdTesting, logging, nioCore, nioEmbedded,
        nioHTTP1, nioHTTPTypes, nioPosix, nioSSL, nioTLS, serviceLifecycle,
    ],
    "PhotolalaPortalTests": [
        "Localization", "PhotoCatalog", "PhotolalaAPI", "PhotolalaPortal", "PhotolalaTesting", "PhotolalaUI",
        "UseCases",
        httpTypes, hummingbird, nioCore,
    ],
    "PhotolalaUITests": [
        "Localization", "ObjectStorage", "PhotolalaAPI", "PhotolalaClient", "PhotolalaTesting", "PhotolalaUI",
    ],
    "PhotolalaLambdaTests": [
        "ObjectStorage", "PhotolalaAPI", "PhotolalaLambda", "PhotolalaServer", "PhotolalaTesting", "ServiceWiring",
        "StorageAccess", "Transport", "UseCases", crypto, httpTypes, hummingbird, hummingbirdTesting, logging, nioCore,
        serviceLifecycle,
    ],
    "PhotolalaServerTests": [
        "Accounts", "DevelopmentIdentityProvider", "HTTPListener", "Monitoring", "ObjectStorage", "OperatorServer",
        "Operators", "PhotoCatalog", "PhotolalaAPI", "PhotolalaServer", "PhotolalaTesting", "Secrets", "Sessions",
        "Subscriptions", "Transport", "UseCases", crypto, httpTypes, hummingbird, hummingbirdTesting, logging, nioCore,
        nioPosix, yams,
    ],
    "ServerSettingsTests": [
        "AWSServices", "AccountMaintenance", "Accounts", "AppStore", "IdentityProviders", "ObjectStorage",
        "PhotolalaAPI", "PhotolalaTesting", "SMTP", "Secrets", "ServiceWiring", "Subscriptions", "Transport",
        "UseCases",
        "Webhooks", "photolala-server", argumentParser, crypto, logging, x509,
    ],
    "MonitoringTests": ["Monitoring", "PhotolalaTesting", "Traces", "Transport", httpTypes, logging, nioCore, tracing],
    "SecretsTests": ["PhotolalaTesting", "Secrets"],
    "JSONCodingTests": ["JSONCoding", "PhotolalaTesting"],
    "SessionsTests": [
        "JSONCoding", "JWS", "ObjectStorage", "PhotolalaAPI", "PhotolalaTesting", "Secrets", "Sessions", crypto,
    ],
    "UseCasesTests": [
        "AccountMaintenance", "Accounts", "DevelopmentIdentityProvider", "DirectoryStorage", "IdentityProviders",
        "LibraryExport", "Monitoring", "ObjectStorage", "PhotoCatalog", "PhotolalaAPI", "PhotolalaTesting", "Secrets",
        "ServiceWiring", "Sessions", "Sharing", "StorageAccess", "Subscriptions", "UseCases", "photolala-server",
        crypto,
        logging,
        nioCore,
    ],
    "IdentityProvidersTests": [
        "Accounts", "DevelopmentIdentityProvider", "IdentityProviders", "JSONCoding", "JWS", "PhotolalaAPI",
        "PhotolalaTesting", "Secrets", "Transport", crypto, cryptoExtras, httpTypes, logging, nioCore,
    ],
    "WebhooksTests": ["Accounts", "PhotolalaAPI", "PhotolalaTesting", "Transport", "Webhooks", httpTypes, nioCore],
    "TransportTests": ["PhotolalaTesting", "Transport", crypto, httpTypes, nioCore, nioPosix, nioSSL],
    "AddressCountriesTests": ["AddressCountries", "PhotolalaAPI", "PhotolalaTesting", "Transport"],
    "SMTPTests": ["PhotolalaTesting", "SMTP", nioCore, nioPosix, nioSSL],
    "SecurityMailTests": [
        "AccountMaintenance", "Accounts", "DevelopmentIdentityProvider", "IdentityProviders", "Localization",
        "PhotolalaAPI", "PhotolalaTesting", "SMTP", "SecurityMail", "Sessions", "UseCases", logging,
    ],
    "ObjectStorageTests": ["ObjectStorage", "PhotolalaTesting", nioCore],
    "DirectoryStorageTests": [
        "DirectoryStorage", "ObjectStorage", "PhotolalaAPI", "PhotolalaTesting", "Secrets", "StorageAccess", "UseCases",
        "store-hammer", grdb, grdbSQLite, logging, nioCore,
    ],
    "VipsThumbnailsTests": [
        "PhotoCatalog", "PhotoSync", "PhotolalaTesting", "VipsThumbnails", "photolala-thumbnailer", "sandbox-probe",
        nioCore, subprocess,
    ],
    "S3ProtocolTests": ["PhotolalaTesting", "S3Protocol", httpTypes],
    "StorageGatewayTests": [
        "DirectoryStorage", "HTTPListener", "Monitoring", "ObjectStorage", "PhotolalaAPI", "PhotolalaTesting",
        "S3Protocol", "Secrets", "StorageAccess", "StorageGateway", "Transport", httpTypes, hummingbird, logging,
        nioCore,
    ],
    "PlaceNamesTests": ["PhotolalaTesting", "PlaceNames"],
    "PhotoCatalogTests": ["ObjectStorage", "PhotoCatalog", "PhotolalaAPI", "PhotolalaTesting", "Secrets", nioCore],
    "LibraryExportTests": [
        "LibraryExport", "ObjectStorage", "PhotoCatalog", "PhotoSync", "PhotolalaAPI", "PhotolalaTesting", "Secrets",
        crypto, nioCore,
    ],
    "LibraryWebDAVTests": [
        "LibraryWebDAV", "ObjectStorage", "PhotoCatalog", "PhotolalaClient", "PhotolalaTesting", httpTypes,
        hummingbird, nioCore,
    ],
    "ForeignExportsTests": ["ForeignExports", "PhotoCatalog", "PhotolalaTesting", "Secrets", nioCore],
    "ImmichAPITests": [
        "ForeignExports", "ImmichAPI", "PhotoCatalog", "PhotolalaTesting", "Transport", crypto, httpTypes, nioCore,
    ],
    "PhotoSyncTests": [
        "ForeignExports", "ImmichAPI", "ObjectStorage", "PhotoCatalog", "PhotoSync", "PhotolalaAPI", "PhotolalaTesting",
        "Secrets", "Subscriptions", "Transport", "UseCases", nioCore,
    ],
]

extension Target {
    static func benchmark(_ name: String, _ folder: String, _ dependencies: [Dependency]) -> Target {
        executableTarget(name: "benchmark-\(name)", dependencies: dependencies, path: "Benchmarks/\(folder)")
    }
}

/// The object file of `scripts/trim-icu`, which `scripts/build-lambda` links instead of the data of all locales.
let localeData = Context.environment["PHOTOLALA_ICU_OBJECT"].map { [LinkerSetting.unsafeFlags([$0])] } ?? []

let package = Package(
    name: "photolala",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: ["PhotolalaAPI", "PhotolalaClient", "PhotolalaDirectFunctions", "PhotolalaUI"]
        .map { .library(name: $0, targets: [$0]) }
        + ["photolala", "photolala-server", "photolala-lambda", "photolala-thumbnailer"]
        .map { .executable(name: $0, targets: [$0]) },
    traits: [
        .trait(name: "Programs", description: "The server and the command lines. Apps that use the SDK disable it."),
        .default(enabledTraits: ["Programs"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // Wire types
        .target(name: "PhotolalaAPI", dependencies: ["JSONCoding"]),
        // Utilities
        .target(
            name: "HTTPListener",
            dependencies: [
                "Transport", httpTypes, hummingbird, hummingbirdCore, logging, nioCore, nioHTTP1, nioHTTPTypes,
                nioHTTPTypesHTTP1, nioPosix, nioSSL, nioTLS, serviceLifecycle,
            ]),
        .target(name: "JSONCoding"),
        .target(name: "CEmbeddedFiles"),
        .target(name: "Localization", dependencies: ["CEmbeddedFiles"], exclude: ["Resources"]),
        .target(name: "HEIFDecoder", dependencies: ["CEmbeddedFiles"], exclude: ["Resources"]),
        .target(name: "PlaceNames", dependencies: ["CEmbeddedFiles", "CZlib"], exclude: ["Resources"]),
        .target(name: "JWS", dependencies: ["JSONCoding", "Secrets", crypto]),
        .target(name: "ObjectStorage", dependencies: ["JSONCoding", "Secrets", crypto, nioCore]),
        .target(name: "Secrets", dependencies: [crypto]),
        .target(name: "S3Protocol", dependencies: ["Secrets", crypto, httpTypes]),
        .target(
            name: "Transport", dependencies: [asyncHTTPClient, crypto, httpTypes, nioCore, nioHTTP1, nioPosix, nioSSL]),
        .target(name: "Monitoring", dependencies: [coreMetrics, httpTypes, logging]),
        .target(
            name: "Traces", dependencies: ["Monitoring", "Secrets", "Transport", httpTypes, logging, nioCore, tracing]),
        // Domain modules
        .target(
            name: "Accounts",
            dependencies: ["JSONCoding", "ObjectStorage", "PhotolalaAPI", "Secrets", crypto, nioCore]),
        .target(
            name: "AccountMaintenance",
            dependencies: ["Accounts", "ObjectStorage", "PhotolalaAPI", "Secrets", crypto, nioCore]),
        .target(
            name: "Sessions",
            dependencies: ["JSONCoding", "JWS", "ObjectStorage", "PhotolalaAPI", "Secrets", crypto, nioCore]),
        .target(name: "StorageAccess", dependencies: ["ObjectStorage", "PhotolalaAPI", "Secrets", crypto, nioCore]),
        .target(
            name: "Operators",
            dependencies: ["JSONCoding", "ObjectStorage", "PhotolalaAPI", "Secrets", crypto, nioCore]),
        .target(name: "Subscriptions", dependencies: ["ObjectStorage", "PhotolalaAPI", "Secrets"]),
        .target(name: "Sharing", dependencies: ["ObjectStorage", "PhotolalaAPI", "Secrets", crypto, cryptoExtras]),
        .target(
            name: "PhotoCatalog",
            dependencies: ["JSONCoding", "ObjectStorage", "PhotolalaAPI", "PlaceNames", "Secrets", crypto, nioCore]),
        .target(
            name: "LibraryExport",
            dependencies: ["JSONCoding", "ObjectStorage", "PhotoCatalog", "PhotolalaAPI", "Secrets", crypto, nioCore],
            resources: [.embedInCode("Resources/verify-export.py"), .embedInCode("Resources/about.html")]),
        .target(name: "ForeignExports", dependencies: ["JSONCoding", "PhotoCatalog", nioCore]),
        // Use cases
        .target(
            name: "UseCases",
            dependencies: [
                "Accounts", "JWS", "LibraryExport", "Monitoring", "ObjectStorage", "Operators", "PhotoCatalog",
                "PhotolalaAPI", "Secrets", "Sessions", "Sharing", "StorageAccess", "Subscriptions", crypto, logging,
                nioCore,
            ]),
        // Adapters
        .target(
            name: "DirectoryStorage",
            dependencies: [
                "Monitoring", "ObjectStorage", "Secrets", crypto, grdb, grdbSQLite, logging, nioCore, nioPosix,
            ]),
        .target(
            name: "IdentityProviders",
            dependencies: [
                "Accounts", "JSONCoding", "JWS", "Monitoring", "PhotolalaAPI", "Secrets", "Transport", crypto,
                cryptoExtras, httpTypes, logging, nioCore,
            ]),
        .target(
            name: "DevelopmentIdentityProvider",
            dependencies: [
                "IdentityProviders", "JWS", "PhotolalaAPI", "Secrets", "Transport", crypto, cryptoExtras, httpTypes,
                logging, nioCore,
            ]),
        .target(
            name: "AppStore",
            dependencies: [
                "JSONCoding", "JWS", "PhotolalaAPI", "Subscriptions", "Transport", crypto, httpTypes, nioCore,
                swiftASN1, x509,
            ]),
        .target(
            name: "AWSServices",
            dependencies: [
                "ObjectStorage", "PhotolalaAPI", "S3Protocol", "Secrets", "StorageAccess", "Transport", crypto,
                httpTypes, nioCore,
            ]),
        .target(name: "Webhooks", dependencies: ["Accounts", "PhotolalaAPI", "Transport", crypto, httpTypes, nioCore]),
        .target(name: "AddressCountries", dependencies: ["PhotolalaAPI", "Transport"]),
        .target(name: "SMTP", dependencies: [nioCore, nioPosix, nioSSL]),
        .target(
            name: "SecurityMail",
            dependencies: [
                "Accounts", "Localization", "Monitoring", "PhotolalaAPI", "PlaceNames", "SMTP", logging, mustache,
            ],
            resources: ["html", "text"].map { .embedInCode("Templates/security_mail_\($0).mustache") }),
        .target(
            name: "ImmichAPI",
            dependencies: [
                "ForeignExports", "JSONCoding", "ObjectStorage", "PhotoCatalog", "Transport", crypto, httpTypes,
                nioCore,
            ]),
        // Endpoints
        .target(
            name: "PhotolalaServer",
            dependencies: [
                "Accounts", "CEmbeddedFiles", "DevelopmentIdentityProvider", "HTTPListener", "IdentityProviders",
                "JSONCoding", "Localization", "Monitoring", "PhotolalaAPI", "PhotolalaPortal", "Secrets", "Sessions",
                "Subscriptions",
                "Traces", "Transport", "UseCases", httpTypes, hummingbird, logging, nioCore, tracing,
            ],
            exclude: ["WellKnown/openapi.yaml"]),
        .target(
            name: "PhotolalaPortal",
            dependencies: [
                "Accounts", "CEmbeddedFiles", "CZlib", "DevelopmentIdentityProvider", "HEIFDecoder",
                "IdentityProviders", "JSONCoding", "Localization", "Monitoring", "ObjectStorage", "PhotoCatalog",
                "PhotolalaAPI", "PlaceNames", "Sharing", "UseCases", crypto, httpTypes, hummingbird, logging, mustache,
                nioCore,
            ],
            // Sources/CEmbeddedFiles/portal.c lists their files.
            exclude: ["Brand", "Icons", "Maps", "Scripts", "Styles", "Templates"]),
        .target(
            name: "OperatorServer",
            dependencies: [
                "Accounts", "HTTPListener", "JSONCoding", "Monitoring", "ObjectStorage", "Operators", "PhotolalaAPI",
                "PhotolalaPortal", "Secrets", "Sharing", "Subscriptions", "UseCases", httpTypes, hummingbird, logging,
                nioCore,
            ],
            resources: consoleResources),
        .target(
            name: "StorageGateway",
            dependencies: [
                "HTTPListener", "Monitoring", "ObjectStorage", "PhotolalaAPI", "S3Protocol", "Secrets", "StorageAccess",
                "Traces", crypto, httpTypes, hummingbird, logging, nioCore, tracing,
            ]),
        // Clients
        .target(
            name: "PhotoSync",
            dependencies: [
                "CZlib", "ForeignExports", "LibraryExport", "ObjectStorage", "PhotoCatalog", "PhotolalaAPI",
                "Secrets", crypto, nioCore, nioPosix,
            ]),
        .target(
            name: "PhotolalaClient",
            dependencies: [
                "AWSServices", "ForeignExports", "ImmichAPI", "JWS", "ObjectStorage", "PhotoCatalog", "PhotoSync",
                "PhotolalaAPI", "S3Protocol", "Secrets", "Transport", "VipsThumbnails", crypto, httpTypes, nioCore,
            ],
            exclude: privacyManifest.isEmpty ? ["PrivacyInfo.xcprivacy"] : [], resources: privacyManifest),
        .target(
            name: "PhotolalaDirectFunctions",
            dependencies: [
                "AWSServices", "PhotolalaAPI", "PhotolalaClient", "S3Protocol", "Secrets", "Transport", crypto,
                httpTypes, nioCore,
            ]),
        .target(name: "PhotolalaUI", dependencies: ["Localization", "PhotolalaClient"]),
        .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CThumbnailWorker"),
        .target(
            name: "VipsThumbnails",
            dependencies: [
                .target(name: "CThumbnailWorker", condition: .when(platforms: [.linux, .macOS])), "PhotoCatalog",
                "PhotoSync", nioCore, subprocess,
            ]),
        .target(
            name: "PhotolalaLambda",
            dependencies: [
                "HTTPListener", "JSONCoding", "Monitoring", "PhotolalaAPI", "PhotolalaServer", "ServiceWiring",
                "Transport", "UseCases", httpTypes, hummingbird, hummingbirdCore, logging, nioCore, serviceLifecycle,
            ]),
        // What AWS Lambda's system lacks
        .target(name: "CLambdaCompatibility"),
        // Wiring
        .target(
            name: "ServiceWiring",
            dependencies: [
                "AWSServices", "Accounts", "AddressCountries", "AppStore", "DevelopmentIdentityProvider",
                "HTTPListener", "IdentityProviders", "JSONCoding", "Monitoring", "ObjectStorage", "PhotolalaAPI",
                "S3Protocol", "SMTP", "Secrets", "SecurityMail", "Sessions", "StorageAccess", "Subscriptions", "Traces",
                "Transport",
                "UseCases", "Webhooks", configuration, coreMetrics, logging, nioCore, serviceLifecycle, tracing,
            ]),
        // Programs
        .executableTarget(
            name: "photolala-server",
            dependencies: [
                "AccountMaintenance", "Accounts", "AppStore", "DirectoryStorage", "HTTPListener", "IdentityProviders",
                "Monitoring", "ObjectStorage", "OperatorServer", "Operators", "PhotoCatalog", "PhotolalaAPI",
                "PhotolalaServer", "Secrets", "ServiceWiring", "Sessions", "Sharing", "StorageAccess", "StorageGateway",
                "SMTP", "Subscriptions", "Transport", "UseCases", argumentParser, crypto, httpTypes, hummingbird,
                logging, nioCore, serviceLifecycle, swiftASN1, x509,
            ]),
        .executableTarget(
            name: "photolala-lambda",
            dependencies: [
                "CLambdaCompatibility", "Monitoring", "PhotolalaAPI", "PhotolalaLambda", "PhotolalaServer",
                "ServiceWiring", "Transport", serviceLifecycle,
            ],
            linkerSettings: localeData),
        .target(
            name: "LibraryWebDAV",
            dependencies: [
                "HTTPListener", "ObjectStorage", "PhotolalaClient", "S3Protocol", "Secrets", httpTypes, hummingbird,
                logging, nioCore,
            ]),
        .executableTarget(
            name: "photolala",
            dependencies: [
                "LibraryWebDAV", "PhotolalaAPI", "PhotolalaClient", "PhotolalaDirectFunctions", "Secrets", "Transport",
                argumentParser,
            ]),
        .executableTarget(name: "photolala-thumbnailer", dependencies: ["CThumbnailWorker"]),
        // Test support
        .target(
            name: "PhotolalaTesting",
            dependencies: [
                "AWSServices", "AccountMaintenance", "Accounts", "AppStore", "DevelopmentIdentityProvider",
                "IdentityProviders", "JSONCoding", "JWS", "Monitoring", "ObjectStorage", "PhotoCatalog", "PhotolalaAPI",
                "PhotolalaClient", "PhotolalaServer", "S3Protocol", "Secrets", "Sessions", "StorageAccess",
                "Subscriptions", "Transport", "UseCases", crypto, httpTypes, hummingbird, logging, nioCore, nioPosix,
                serviceLifecycle, swiftASN1,
                x509,
            ]),
        // An example app with the SDK's public API only
        .executableTarget(
            name: "keep-photos", dependencies: ["PhotolalaClient"], path: "Examples/KeepPhotos/Sources",
            packageAccess: false),
        // Benchmarks and test tools, not shipped
        .benchmark("store", "Store", ["DirectoryStorage", "ObjectStorage", "Secrets", logging, nioCore, nioPosix]),
        .benchmark(
            "growth", "Growth", ["DirectoryStorage", "ObjectStorage", "PhotolalaAPI", "Secrets", logging, nioCore]),
        .benchmark("floor", "Floor", [crypto, cryptoExtras, hummingbird, logging, nioCore]),
        .benchmark("device-keys", "DeviceKeys", ["PhotolalaAPI", "PhotolalaTesting", "Sessions", "UseCases", crypto]),
        .benchmark(
            "metrics", "Metrics",
            ["Monitoring", "ObjectStorage", "PhotolalaAPI", "PhotolalaTesting", "ServiceWiring", "UseCases", httpTypes]),
        .benchmark(
            "purchases", "Purchases",
            [
                "AppStore", "ObjectStorage", "PhotoCatalog", "PhotolalaAPI", "PhotolalaTesting", "StorageAccess",
                "Subscriptions", "UseCases", nioCore,
            ]),
        .benchmark("catalog", "Catalog", ["ObjectStorage", "PhotoCatalog", "PhotolalaAPI", "Secrets", nioCore]),
        .executableTarget(
            name: "store-hammer", dependencies: ["DirectoryStorage", "ObjectStorage", "Secrets", logging, nioCore],
            path: "Tests/Support/StoreHammer"),
        .executableTarget(
            name: "sandbox-probe", dependencies: ["CThumbnailWorker"], path: "Tests/Support/SandboxProbe"),
        // The test target with files that are not sources
        .testTarget(
            name: "JourneyTests",
            dependencies: [
                "AWSServices", "Accounts", "DirectoryStorage", "IdentityProviders", "ObjectStorage", "PhotoCatalog",
                "PhotoSync", "PhotolalaAPI", "PhotolalaClient", "PhotolalaDirectFunctions", "PhotolalaTesting",
                "S3Protocol", "SMTP", "Secrets", "Transport", "keep-photos", "photolala", "photolala-server",
                "photolala-thumbnailer", crypto, httpTypes, logging, nioCore, nioPosix, nioSSL, subprocess,
            ],
            exclude: ["CommandLine/Golden"]),
    ] + tests.map { .testTarget(name: $0.key, dependencies: $0.value) }
)

/// The modules in which tests spend most of their time. `scripts/build` optimizes them also in debug, but not for packages
/// that depend on this one: SwiftPM permits no such flags there.
let optimized: Set = ["JSONCoding", "ObjectStorage", "Secrets"]
let isOptimizing = Context.environment["PHOTOLALA_OPTIMIZE"] == "1"

for target in package.targets where target.type != .plugin {
    target.swiftSettings = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
    if isOptimizing, optimized.contains(target.name) {
        target.swiftSettings?.append(
            .unsafeFlags(["-O", "-wmo", "-num-threads", "2", "-disable-batch-mode"], .when(configuration: .debug)))
    }
}
