//! The order of a build.

use crate::builder::Builder;
use crate::component::{self, Compiled};
use crate::failure::{self, Failure};
use crate::made::Record;
use crate::record;
use crate::request::{Built, DomainElf, Request};
use crate::tool::Options;
use crate::view::{self, Maker};
use crate::{boot, domain, messages, rules, runtime, stubs};
use fusee_diagnostics::Diagnostic;
use fusee_model::derived::Derived;
use fusee_model::{ComponentId, InterfaceKind};
use fusee_tables::{Machines, Needs, TablesError};

/// Builds the programs of all protection domains.
///
/// # Errors
/// Messages, at least one of them an error: a component's code, a tool or a file is not as it
/// should be.
pub fn build(request: &Request<'_>) -> Result<Built, Vec<Diagnostic>> {
    let builder = Builder::new(request)?;
    builder.compile_runtime()?;
    let compiled = builder.compile()?;
    let needs = needs(&builder, &compiled);
    let held =
        needs.held.iter().map(|&(id, lock)| messages::held(request, id, lock)).collect::<Vec<_>>();
    let machines =
        Machines::of(request.system, &needs).map_err(|error| vec![tables(request, &error)])?;
    let domains = builder.link(&machines, &compiled)?;
    let bare =
        compiled.iter().filter(|one| !one.found.sources && stubs::does_something(&builder, one.id));
    let stubs = bare.map(|one| one.id).collect();
    let record = made_from(&builder, &compiled)?;
    let warnings =
        compiled.into_iter().flat_map(|compiled| compiled.warnings).chain(held).collect();
    Ok(Built { machines, domains, stubs, camkes: builder.project.is_camkes(), record, warnings })
}

impl Builder<'_> {
    fn compile_runtime(&self) -> Result<(), Failure> {
        let includes = [self.runtime.join("include")];
        let folder = self.out.join("objects").join("runtime");
        std::fs::create_dir_all(&folder).map_err(|error| failure::file(&folder, &error))?;
        for source in runtime::OF_COMPONENT.iter().chain(&runtime::OF_DOMAIN) {
            let options = Options { includes: &includes, flags: &[] };
            let said = self.tools.compile(
                &self.runtime.join(source),
                &self.runtime_object(source),
                &options,
            )?;
            if !said.fine {
                return Err(vec![messages::linking("the runtime", &said.text)]);
            }
        }
        Ok(())
    }

    /// Compiles all components; the messages of all come together.
    fn compile(&self) -> Result<Vec<Compiled>, Failure> {
        let components = self.request.system.components.iter().enumerate();
        let ids: Vec<ComponentId> =
            components.filter(|(_, c)| !c.hardware).map(|(i, _)| i.into()).collect();
        all(ids.into_iter().map(|id| component::compile(self, id)))
    }

    fn link(&self, machines: &Machines, compiled: &[Compiled]) -> Result<Vec<DomainElf>, Failure> {
        let machine = machines.first();
        let derived = Derived::of(self.request.system);
        let senders = view::asked(self.types(), compiled.iter().map(|one| (one.id, &one.found)));
        let (system, types) = (self.request.system, self.types());
        let traits = self.request.platform.traits();
        let maker = Maker { system, derived: &derived, machines, traits, types, senders: &senders };
        let finished = all(compiled.iter().map(|one| component::finish(self, &maker, one)))?;
        let mut domains = Vec::new();
        for (position, described) in machine.domains[..machine.boot_domain()].iter().enumerate() {
            let parts: Vec<_> = (compiled.iter().zip(&finished))
                .filter(|(one, _)| machine.objects.capabilities.domain(one.id) == position)
                .map(|(one, object)| (one.id, object.clone(), &one.found))
                .collect();
            if parts.is_empty() {
                continue;
            }
            let path = domain::link(self, described, &parts)?;
            domains.push(DomainElf { domain: position, name: described.name.clone(), path });
        }
        let path = boot::link(self, machine)?;
        domains.push(DomainElf { domain: machine.boot_domain(), name: "boot".into(), path });
        Ok(domains)
    }
}

/// Returns the record of the sources that the programs of components are made from.
fn made_from(builder: &Builder<'_>, compiled: &[Compiled]) -> Result<Record, Failure> {
    let read = compiled.iter().flat_map(|one| one.read.iter().cloned()).collect();
    let rust = compiled.iter().any(Compiled::is_rust);
    Ok(Record {
        components: record::planned(builder.request, &builder.project, &builder.templates)?,
        files: record::files(&builder.folder, &builder.out, &read),
        tools: record::tools(builder.request.platform, builder.tools.compiler(), rust),
    })
}

/// All results, or the messages of everything that failed.
fn all<T>(results: impl Iterator<Item = Result<T, Failure>>) -> Result<Vec<T>, Failure> {
    let (mut fine, mut failure) = (Vec::new(), Failure::new());
    for result in results {
        match result {
            Ok(value) => fine.push(value),
            Err(messages) => failure.extend(messages),
        }
    }
    if failure.is_empty() { Ok(fine) } else { Err(failure) }
}

/// Returns the needs for callbacks and sizes that the code tells.
fn needs(builder: &Builder<'_>, compiled: &[Compiled]) -> Needs {
    let mut needs = Needs::default();
    for one in compiled {
        needs.held.extend(
            view::held(builder.request.system, one.id, &one.found)
                .into_iter()
                .map(|lock| (one.id, lock)),
        );
        needs.loops.extend(
            crate::view::awaited_release(builder.request.system, one.id, &one.found)
                .map(|_| one.id),
        );
        for (position, interface) in
            builder.request.system.component(one.id).interfaces.iter().enumerate()
        {
            match interface.kind {
                InterfaceKind::Consumes(Some(_)) => {
                    let registers =
                        one.found.wanted.contains(&format!("{}_reg_callback", interface.name));
                    let handles = one.found.defined.contains(&format!("{}_handle", interface.name));
                    if registers || handles {
                        needs.callbacks.push((one.id, position));
                    }
                }
                InterfaceKind::Dataport(Some(dataport)) => {
                    let bytes = one.dataports.get(&interface.name).copied().unwrap_or(0);
                    let known = needs.dataports.entry(dataport).or_insert(bytes);
                    *known = bytes.max(*known);
                }
                _ => {}
            }
        }
    }
    needs
}

fn tables(request: &Request<'_>, error: &TablesError) -> Diagnostic {
    let diagnostic = Diagnostic::error(rules::NO_TABLES, error.to_string());
    match (request.origins)(error.origin()) {
        Some(span) => diagnostic.at(span, ""),
        None => diagnostic,
    }
}
