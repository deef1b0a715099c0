"""All SQL of Aloi: core models in, core models out.

Open a `Database`; its transactions and reads go as the first argument to the functions of `targets`, `datasets`,
`cases`, `revisions`, `runs`, `results`, `outcomes` and `result_pages`.
"""
