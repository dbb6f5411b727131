import ArgumentParser
import Foundation
import PhotolalaClient

struct ImportEnteCommand: ServiceImportCommand {
    static let configuration = CommandConfiguration(
        commandName: "ente-export", abstract: "Upload the photos of an export of Ente.",
        discussion: """
            Give the folder that Ente's desktop app or the command ente export wrote. Photos get the dates, places and \
            favorites of Ente, and are once in the library, in however many albums they are. Photos that the library \
            has are not uploaded again; nothing is replaced or removed. An interrupted import resumes when you run it \
            again.
            """
    )

    @OptionGroup var arguments: ServiceImportArguments<EnteFacts>

    @OptionGroup var common: CommonOptions

    func start(
        _ parts: [URL], _ options: ServiceImportOptions, in library: PhotolalaLibrary
    ) -> Transfer<TransferProgress, EnteImportReport> {
        library.importEnteExport(parts, options: options)
    }
}

extension EnteFacts: ServiceFacts {
    static let service = PhotoService.ente

    var counts: [(text: String, number: Int)] {
        [("Hidden in Ente (imported)", hidden), ("Captions (in the stored descriptions)", captions)]
    }
}
